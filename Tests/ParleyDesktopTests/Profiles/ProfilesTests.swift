import Foundation
import Parley
import Testing

@testable import DesktopApplication
@testable import FakeCalls

/// Several accounts in one process, with pretended ones.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class ProfilesTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.
    @MainActor private func started(_ source: PretendedProfiles) -> Profiles {
        let profiles = Profiles(source)
        profiles.onUpdate = { $1.opening.receive($0) }
        profiles.start()
        wait(for: "the accounts") { profiles.all.allSatisfy { $0.opening.overview.opening == .done } }
        return profiles
    }

    @MainActor private func end(_ profiles: Profiles) {
        var isOver = false
        profiles.stop()
        Task {
            await profiles.close()
            isOver = true
        }
        wait(for: "the end") { isOver }
    }

    @Test func `all that are open are started, and each says which it is`() throws {
        try onMain {
            let source = try PretendedProfiles.two()
            let profiles = started(source)
            #expect(source.providers.mapValues(\.startCount) == [1: 1, 2: 1])
            #expect(profiles.shown.id == 1)
            source.providers[2]?.channel.yield(.name("Work"))
            wait(for: "the name") { source.kept[2]?.name == "Work" }
            #expect(source.providers[2]?.profileLabel == ProfileLabel(id: 2, name: "Work"))
            end(profiles)
        }
    }

    @Test func `a single profile says nothing of which it is, and remembers nothing`() {
        onMain {
            let source = PretendedProfiles()
            let profiles = started(source)
            #expect(source.providers[1]?.profileLabel == ProfileLabel(id: 1, name: nil))
            #expect(source.kept == ProfileShelf())
            end(profiles)
        }
    }

    @Test func `a new profile is remembered once it is begun`() {
        onMain {
            let source = PretendedProfiles()
            let profiles = started(source)
            profiles.make()
            #expect(profiles.shown.id == 2)
            #expect(profiles.shown.opening.overview.opening == .new)
            #expect(source.kept[2] == nil)
            profiles.shown.provider.begin(as: OwnProfile(displayName: "Work"))
            profiles.shown.opening.start()
            wait(for: "the profile") { source.kept[2]?.standing == .open }
            end(profiles)
        }
    }

    @Test func `a profile that was brought stays also where it cannot be opened yet`() {
        onMain {
            let source = PretendedProfiles()
            let profiles = started(source)
            profiles.make()
            profiles.brought()
            #expect(source.kept[2]?.standing == .open)
            profiles.show(1)
            #expect(source.kept[2]?.standing == .open)
            end(profiles)
        }
    }

    @Test func `another program names the test call in every language`() {
        onMain {
            let profiles = started(PretendedProfiles())
            let test = ContactItem(id: "t", name: "Testanruf", isTestCall: true, isConnected: true)
            let other = ContactItem(id: "o", name: "Ada", isTestCall: false, isConnected: true)
            profiles.shown.opening.receive(.contacts([other, test]))
            let names = ["Testanruf", "Test call", "t", "Ada", "?"]
            #expect(names.map { profiles.contact(named: $0)?.id } == ["t", "t", "t", "o", nil])
            end(profiles)
        }
    }

    @Test func `a profile that is removed is closed before it is wiped`() throws {
        try onMain {
            let source = try PretendedProfiles.two()
            let profiles = started(source)
            var steps: [String] = []
            profiles.endCalls = { steps.append("calls of \($0) end, wiped: \(source.wiped)") }
            profiles.remove(1)
            #expect(profiles.shown.id == 2)
            #expect(source.kept[1]?.standing == .leaving)
            wait(for: "it to be forgotten") { source.kept[1] == nil }
            #expect(source.wiped == [1])
            #expect(steps == ["calls of 1 end, wiped: []"])
            end(profiles)
        }
    }

    @Test func `a profile that can't be wiped stays marked, and the person is told`() throws {
        try onMain {
            let source = try PretendedProfiles.two()
            source.fault = AccountError.inUse("x")
            let profiles = started(source)
            var notices: [String] = []
            profiles.onNotice = { notices.append($0) }
            profiles.remove(2)
            wait(for: "the notice") { notices.count == 1 }
            #expect(source.kept[2]?.standing == .leaving)
            end(profiles)
        }
    }

    @Test func `a profile that is opened again has an account of its own anew`() throws {
        try onMain {
            let source = try PretendedProfiles.two()
            let profiles = started(source)
            let former = source.providers[2]
            profiles.close(2)
            #expect(profiles.all.map(\.id) == [1])
            #expect(source.providers[1]?.profileLabel?.name == nil, "it is alone now")
            profiles.show(2)
            wait(for: "the account") { source.providers[2]?.startCount == 1 && source.providers[2] !== former }
            #expect(profiles.shown.id == 2)
            end(profiles)
        }
    }

    @Test func `what is missed in another profile is counted until it is shown`() throws {
        try onMain {
            let source = try PretendedProfiles.two()
            let profiles = started(source)
            let contact = FakeScript.answers.contact
            source.providers[2]?.channel.yield(
                .missed(MissedCallItem(contact: contact, kind: .audio, sentence: "Missed", isTold: false)))
            wait(for: "the count") { profiles.rows[1].state.contains("1 missed call") }
            profiles.show(2)
            #expect(profiles.rows[1].isShown)
            #expect(!profiles.rows[1].state.contains("missed"), "\(profiles.rows[1].state)")
            end(profiles)
        }
    }

    @Test func `busy holds for all profiles`() throws {
        try onMain {
            let source = try PretendedProfiles.two()
            let profiles = started(source)
            Task { await profiles.setBusy(true) }
            wait(for: "all of them") { source.providers.values.allSatisfy(\.isBusy) }
            end(profiles)
        }
    }
}
