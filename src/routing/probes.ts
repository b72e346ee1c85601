import type { ScriptClass } from "../contract/model.ts";
import { digestOfTexts } from "./routing-text.ts";

/**
 * Everyday requests that no skill is for. Their likeness to skills is the noise level of an embedder, so likeness counts
 * only above it.
 */
export const probes: Readonly<Record<ScriptClass, readonly string[]>> = {
  other: [
    "what's the weather like in Lisbon this weekend",
    "recommend a good horror movie for tonight",
    "how long should I boil an egg so the yolk stays soft",
    "my cat keeps scratching the sofa, what can I do",
    "tell me a joke about penguins",
    "which team won the football world cup in 1998",
    "how do I get red wine out of a carpet",
    "what time does the sun set in Oslo in December",
    "suggest a name for my new goldfish",
    "I can't fall asleep, any tips?",
    "how far away is the moon",
    "what should I wear to a beach wedding",
    "is it safe to eat mushrooms that grow under oak trees",
    "who painted the girl with the pearl earring",
    "how many calories are in a banana",
    "what's a fun game to play with kids on a long drive",
    "my bicycle tyre is flat again, why does that keep happening",
    "sing me happy birthday",
    "when do tomatoes need watering in summer",
    "what is the capital of Mongolia",
  ],
  han: [
    "明天上海会下雨吗",
    "推荐一部好看的恐怖电影",
    "鸡蛋煮几分钟才是溏心的",
    "我家猫老是抓沙发怎么办",
    "给我讲个关于企鹅的笑话",
    "1998年世界杯是哪个队夺冠的",
    "红酒洒在地毯上怎么洗掉",
    "哈尔滨冬天几点天黑",
    "帮我给新买的金鱼起个名字",
    "晚上睡不着觉有什么办法",
    "月亮离地球有多远",
    "去海边参加婚礼穿什么好",
    "路边采的蘑菇能不能吃",
    "唱首生日歌给我听",
    "一根香蕉有多少热量",
    "长途开车陪孩子玩什么游戏好",
    "自行车轮胎老是漏气是什么原因",
    "夏天番茄多久浇一次水",
    "蒙古国的首都是哪里",
    "最近哪家火锅店比较好吃",
  ],
};

/** Part of every floor: other probes, another floor. */
export const probesDigest = digestOfTexts([...probes.other, ...probes.han]);
