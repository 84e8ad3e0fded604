import MediaRules
import Parley
import Testing

@testable import DesktopApplication
@testable import FakeCalls

/// What the person chooses in one profile and what becomes of it in the others.
@Suite(.windows, .serialized, .timeLimit(.minutes(5)))
final class DeviceSharingTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.
    private let table = MediaDevice(id: "t", name: "Table microphone")
    private let headset = MediaDevice(id: "h", name: "Headset")

    /// Two profiles, whose host lets them share.
    @MainActor private func begin(
        _ settings: ProgramSettings = ProgramSettings()
    ) throws -> (host: ProfileHost, source: PretendedProfiles) {
        let source = try PretendedProfiles.two()
        let profiles = Profiles(source)
        let host = ProfileHost(profiles, CallRoster(CallPresenter()), CallNotifications(), settings)
        profiles.onUpdate = { [weak host] update, profile in
            profile.opening.receive(update)
            if case .ready = update { host?.ready(profile) {} }
        }
        profiles.start()
        wait(for: "the accounts") { profiles.all.allSatisfy { $0.opening.overview.opening == .done } }
        return (host, source)
    }

    @MainActor private func microphone(_ source: PretendedProfiles, _ id: Int) -> MediaDevice? {
        source.providers[id]?.deviceChoices()?.microphone
    }

    @Test func `a device that is chosen in one profile is used in the other`() throws {
        try onMain {
            let (host, source) = try begin()
            Task {
                try? await source.providers[2]?.choose(table, as: .microphone)
                // Before the other has taken that over.
                try? await source.providers[2]?.choose(headset, as: .microphone)
            }
            wait(for: "the other") { microphone(source, 1) == headset }
            #expect(microphone(source, 2) == headset)
            withExtendedLifetime(host) {}
        }
    }

    @Test func `a profile that is opened takes over what the one that is shown uses`() throws {
        try onMain {
            let (host, source) = try begin()
            Task {
                try? await source.providers[1]?.choose(table, as: .microphone)
                var ring = RingChoices()
                ring.volume = 0.25
                try? await source.providers[1]?.setRing(ring)
            }
            wait(for: "the choice") { source.providers[1]?.ringChoices()?.volume == 0.25 }
            let former = source.providers[2]
            host.profiles.close(2)
            host.profiles.show(2)
            wait(for: "the profile") {
                source.providers[2] !== former && source.providers[2]?.ringChoices()?.volume == 0.25
            }
            #expect(microphone(source, 2) == table)
        }
    }

    @Test func `who takes no calls takes none in any profile`() throws {
        try onMain {
            let settings = ProgramSettings()
            settings[.isBusy] = true
            let (host, source) = try begin(settings)
            wait(for: "the other") { source.providers[2]?.isBusyByChoice == true }
            settings[.isBusy] = false
            withExtendedLifetime(host) {}
        }
    }
}
