import Testing

@testable import Notifications

@Suite(.timeLimit(.minutes(1))) struct RingDecisionTests {
    private static let whole = NotificationFeatures(
        program: "gnome-shell 43.9", capabilities: ["actions", "body", "persistence"])
    private static let withoutButtons = NotificationFeatures(program: "plain 1", capabilities: ["body", "persistence"])
    private static let forgetful = NotificationFeatures(program: "Xfce Notify Daemon 0.7.3", capabilities: ["actions"])
    private static let dunst = NotificationFeatures(
        program: "dunst 1.9.0", capabilities: ["actions", "body", "persistence"])
    private static let mako = NotificationFeatures(program: "mako 0.0.0", capabilities: ["actions", "persistence"])

    /// Under which circumstances a call does what.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let circumstances: RingCircumstances
        let decision: RingDecision

        init(
            _ name: String, _ circumstances: RingCircumstances, heard: Bool,
            _ urgency: DesktopNotification.Urgency?, window: Bool
        ) {
            testDescription = name
            self.circumstances = circumstances
            decision = RingDecision(isHeard: heard, urgency: urgency, opensWindow: window)
        }
    }

    static let cases = [
        Case("a server with buttons", .init(features: whole), heard: true, .critical, window: false),
        Case("no buttons", .init(features: withoutButtons), heard: true, .critical, window: true),
        Case("nothing kept", .init(features: forgetful), heard: true, .critical, window: true),
        Case("dunst, whatever it says", .init(features: dunst), heard: true, .critical, window: true),
        Case("mako, whatever it says", .init(features: mako), heard: true, .critical, window: true),
        Case("no server", .init(features: nil), heard: true, .critical, window: true),
        Case(
            "a window by choice", .init(features: whole, alwaysOpensWindow: true), heard: true, .critical, window: true),
        Case(
            "seen in an active window", .init(features: nil, alwaysOpensWindow: true, isWindowActive: true),
            heard: true, nil, window: false),
        Case("quiet", .init(isQuiet: true, features: whole), heard: false, .normal, window: false),
        Case("quiet, no server", .init(isQuiet: true, features: nil), heard: false, .normal, window: false),
        Case(
            "quiet, a window by choice", .init(isQuiet: true, features: dunst, alwaysOpensWindow: true), heard: false,
            .normal, window: false),
        Case(
            "quiet, an active window", .init(isQuiet: true, features: whole, isWindowActive: true), heard: false, nil,
            window: false),
        Case(
            "quiet, but rung all the same", .init(isQuiet: true, ringsInQuiet: true, features: whole), heard: true,
            .critical, window: false),
        Case(
            "quiet, but rung all the same, no buttons", .init(isQuiet: true, ringsInQuiet: true, features: dunst),
            heard: true, .critical, window: true),
    ]

    @Test(arguments: cases) func `a call makes itself felt as circumstances are`(sample: Case) {
        #expect(RingDecision(in: sample.circumstances) == sample.decision)
    }

    /// All of them: what "do not disturb" is for holds whatever else is set.
    @Test func `who is not to be disturbed hears nothing and sees no window`() {
        for features in [nil, Self.whole, Self.dunst] {
            for always in [true, false] {
                for active in [true, false] {
                    let decision = RingDecision(
                        in: RingCircumstances(
                            isQuiet: true, features: features, alwaysOpensWindow: always, isWindowActive: active))
                    #expect(!decision.isHeard && !decision.opensWindow && decision.urgency != .critical)
                }
            }
        }
    }
}
