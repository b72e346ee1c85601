import { expect, test } from "vitest";
import { installCommand } from "./containment-pieces.ts";

test.each([
  ["Debian", "PRETTY_NAME=x\nID=debian\n", "sudo apt-get install bubblewrap"],
  ["a relative of Ubuntu", 'ID=linuxmint\nID_LIKE="ubuntu debian"\n', "sudo apt-get install bubblewrap"],
  ["Rocky Linux", 'ID="rocky"\nID_LIKE="rhel centos fedora"\n', "sudo dnf install bubblewrap"],
  ["Arch", "ID=arch", "sudo pacman -S bubblewrap"],
  ["Alpine", "NAME=Alpine\nID=alpine\n", "sudo apk add bubblewrap"],
  ["openSUSE", 'ID="opensuse-leap"\nID_LIKE="suse opensuse"', "sudo zypper install bubblewrap"],
  ["an unknown one", "ID=mine", null],
  ["none at all", "", null],
])("%s has its own way to install", (_name, osRelease, command) => {
  expect(installCommand("bubblewrap", osRelease, false)).toBe(command);
});

test("root needs no sudo", () => {
  expect(installCommand("util-linux", "ID=fedora", true)).toBe("dnf install util-linux");
});
