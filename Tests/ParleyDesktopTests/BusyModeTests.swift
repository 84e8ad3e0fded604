import FakePortal
import Foundation
import Portal
import TestSupport
import Testing

@testable import DesktopApplication
@testable import FakeCalls

/// Who calls is told that the person is busy: always, or while the desktop is not to be disturbed.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class BusyModeTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    /// The mode with what it follows; the profile remembers a choice of before.
    @MainActor private func begin(
        kept: Bool? = nil, setting: Bool = false, bus: @escaping @Sendable () async throws -> Bus = { throw Absent() }
    ) -> (mode: BusyMode, settings: ProgramSettings, provider: FakeProvider) {
        let (settings, provider) = (ProgramSettings(), FakeProvider(pause: .zero))
        settings[.isBusy] = setting
        if let kept { keep(kept, in: provider) }
        let mode = BusyMode(settings, provider, bus: bus)
        settings.onChange = { _ in mode.settingsChanged() }
        return (mode, settings, provider)
    }

    private struct Absent: Error {}

    @MainActor private func keep(_ isBusy: Bool, in provider: FakeProvider) {
        Task { await provider.setBusyByChoice(isBusy) }
        wait(for: "the profile") { provider.isBusyByChoice == isBusy }
    }

    @MainActor private func open(_ mode: BusyMode) {
        var isOpen = false
        Task {
            await mode.accountIsOpen()
            isOpen = true
        }
        wait(for: "the account") { isOpen }
    }

    @Test(.needs(QuietService.obstacle))
    func `while the desktop is not to be disturbed, the person is busy if they want that`() throws {
        let home = try blocking { try await PrivateBus(startsServices: false) }
        let dunst = try blocking { try await QuietService(.dunst, at: home.address) }
        try onMain {
            let (mode, settings, provider) = begin { try await Bus.connect(address: home.address) }
            try blocking { try await dunst.setPaused(true) }
            // Nobody has asked for it: what is told is what is told at first.
            settings[.ringsAllTheSame] = true
            wait(for: "the first word") { provider.busyWords == [false, false] }
            settings[.isBusyWhileQuiet] = true
            wait(for: "busy") { provider.isBusy }
            try blocking { try await dunst.setPaused(false) }
            wait(for: "not busy") { !provider.isBusy }
            try blocking { try await dunst.setPaused(true) }
            wait(for: "busy again") { provider.isBusy }
            settings[.isBusyWhileQuiet] = false
            wait(for: "not busy any more") { !provider.isBusy }
            // Wanted again: what was so before says nothing of now.
            try blocking { try await dunst.setPaused(false) }
            let count = provider.busyWords.count
            settings[.isBusyWhileQuiet] = true
            wait(for: "a word") { provider.busyWords.count > count }
            #expect(!provider.busyWords[count])
            // Nothing of this is the person's choice for always.
            #expect(provider.isBusyByChoice == nil)
            mode.close()
        }
    }

    @Test func `what the profile remembers holds once it is open`() throws {
        onMain {
            let (mode, settings, provider) = begin(kept: true)
            #expect(!mode.choose(true))
            #expect(!settings[.isBusy])
            open(mode)
            #expect(settings[.isBusy])
            wait(for: "busy") { provider.isBusy }
            #expect(mode.choose(false))
            wait(for: "not busy, which is remembered") { !provider.isBusy && provider.isBusyByChoice == false }
            mode.close()
        }
    }

    @Test func `what is chosen before the profile is open is remembered by it`() throws {
        onMain {
            let (mode, settings, provider) = begin(kept: true, setting: true)
            settings[.isBusy] = false
            open(mode)
            wait(for: "it to be remembered") { provider.isBusyByChoice == false }
            #expect(!settings[.isBusy])
            mode.close()
        }
    }

    @Test func `a setting of before is taken over by a profile that has none`() throws {
        onMain {
            let (mode, _, provider) = begin(setting: true)
            open(mode)
            wait(for: "it to be remembered") { provider.isBusyByChoice == true && provider.isBusy }
            mode.close()
        }
    }
}
