/// What matters for how a call may make itself felt.
package struct RingCircumstances: Sendable, Equatable {
    /// Whether the desktop is not to be disturbed.
    package var isQuiet: Bool
    /// Whether the person wants to hear calls also then.
    package var ringsInQuiet: Bool
    /// What the notification server can do; nil when there is none.
    package var features: NotificationFeatures?
    /// Whether the person wants a window for each call that rings, whatever the server can do.
    package var alwaysOpensWindow: Bool
    /// Whether one of this program's windows is active: the call is seen there.
    var isWindowActive: Bool

    /// Circumstances.
    package init(
        isQuiet: Bool = false, ringsInQuiet: Bool = false, features: NotificationFeatures?,
        alwaysOpensWindow: Bool = false, isWindowActive: Bool = false
    ) {
        self.isQuiet = isQuiet
        self.ringsInQuiet = ringsInQuiet
        self.features = features
        self.alwaysOpensWindow = alwaysOpensWindow
        self.isWindowActive = isWindowActive
    }
}

/// How a call that comes makes itself felt. Worked out again whenever one of the circumstances changes.
package struct RingDecision: Sendable, Equatable {
    /// Whether it is heard.
    package var isHeard: Bool
    /// How urgent its notification is; nil for none. Also where there is no server: one may come.
    package var urgency: DesktopNotification.Urgency?
    /// Whether it has a small window of its own.
    package var opensWindow: Bool

    /// A decision.
    package init(isHeard: Bool, urgency: DesktopNotification.Urgency?, opensWindow: Bool) {
        self.isHeard = isHeard
        self.urgency = urgency
        self.opensWindow = opensWindow
    }

    /// Decides.
    package init(in circumstances: RingCircumstances) {
        let isFelt = !circumstances.isQuiet || circumstances.ringsInQuiet
        let canAnswerThere = circumstances.features.map { $0.showsButtons && $0.keepsNotifications } ?? false
        isHeard = isFelt
        urgency = circumstances.isWindowActive ? nil : isFelt ? .critical : .normal
        opensWindow =
            isFelt && !circumstances.isWindowActive && (circumstances.alwaysOpensWindow || !canAnswerThere)
    }
}
