import DesktopSession
import Notifications
import Portal

/// Asks the desktop, when a call comes, how it may make itself felt.
@MainActor final class RingInquiry {
    private let settings: ProgramSettings
    private let features: @MainActor () async -> NotificationFeatures?
    private var bus: Bus?

    /// `features` asks what the notification server can do.
    init(_ settings: ProgramSettings, features: @escaping @MainActor () async -> NotificationFeatures?) {
        (self.settings, self.features) = (settings, features)
    }

    /// How a call rings now. Takes two seconds at most, whatever the desktop's services do, and no time to speak of mostly.
    func decide() async -> RingDecision {
        async let isQuiet = isQuiet()
        let features = await features()
        return RingDecision(
            in: RingCircumstances(
                isQuiet: await isQuiet, ringsInQuiet: settings[.ringsAllTheSame], features: features,
                alwaysOpensWindow: settings[.alwaysHasRingWindow]))
    }

    private func isQuiet() async -> Bool {
        if bus == nil { bus = try? await Bus.session() }
        guard let bus else { return false }
        return await DoNotDisturb(bus: bus).isOn()
    }
}
