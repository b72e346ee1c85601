import { render } from "preact";
import { TelemetryPage } from "./telemetry-page.tsx";

render(<TelemetryPage />, document.getElementById("page") as HTMLElement);
