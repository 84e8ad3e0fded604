import Parley
import XCTest

@testable import DesktopApplication
@testable import FakeCalls

/// Several accounts in one process, with pretended ones.
final class ProfilesTests: WindowTestCase, @unchecked Sendable {
    // Unchecked, as its parent.
    @MainActor private func started(_ source: PretendedProfiles) -> Profiles {
        let profiles = Profiles(source)
        profiles.onUpdate = { $1.opening.take($0) }
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

    func testAllThatAreOpenAreStartedAndEachSaysWhichItIs() throws {
        try onMain {
            let source = try PretendedProfiles.two()
            let profiles = started(source)
            XCTAssertEqual(source.providers.mapValues(\.startCount), [1: 1, 2: 1])
            XCTAssertEqual(profiles.shown.id, 1)
            source.providers[2]?.channel.yield(.name("Work"))
            wait(for: "the name") { source.kept[2]?.name == "Work" }
            XCTAssertEqual(source.providers[2]?.profileLabel, ProfileLabel(id: 2, name: "Work"))
            end(profiles)
        }
    }

    func testASingleProfileSaysNothingOfWhichItIsAndRemembersNothing() {
        onMain {
            let source = PretendedProfiles()
            let profiles = started(source)
            XCTAssertEqual(source.providers[1]?.profileLabel, ProfileLabel(id: 1, name: nil))
            XCTAssertEqual(source.kept, ProfileShelf())
            end(profiles)
        }
    }

    func testANewProfileIsRememberedOnceItIsBegun() {
        onMain {
            let source = PretendedProfiles()
            let profiles = started(source)
            profiles.make()
            XCTAssertEqual(profiles.shown.id, 2)
            XCTAssertEqual(profiles.shown.opening.overview.opening, .new)
            XCTAssertNil(source.kept[2])
            profiles.shown.provider.begin(as: OwnProfile(displayName: "Work"))
            profiles.shown.opening.start()
            wait(for: "the profile") { source.kept[2]?.standing == .open }
            end(profiles)
        }
    }

    func testAProfileThatWasBroughtStaysAlsoWhereItCanNotBeOpenedYet() {
        onMain {
            let source = PretendedProfiles()
            let profiles = started(source)
            profiles.make()
            profiles.brought()
            XCTAssertEqual(source.kept[2]?.standing, .open)
            profiles.show(1)
            XCTAssertEqual(source.kept[2]?.standing, .open)
            end(profiles)
        }
    }

    func testAnotherProgramNamesTheTestCallInEveryLanguage() {
        onMain {
            let profiles = started(PretendedProfiles())
            let test = ContactItem(id: "t", name: "Testanruf", isTestCall: true, isConnected: true)
            let other = ContactItem(id: "o", name: "Ada", isTestCall: false, isConnected: true)
            profiles.shown.opening.take(.contacts([other, test]))
            let names = ["Testanruf", "Test call", "t", "Ada", "?"]
            XCTAssertEqual(names.map { profiles.contact(named: $0)?.id }, ["t", "t", "t", "o", nil])
            end(profiles)
        }
    }

    func testAProfileThatIsRemovedIsClosedBeforeItIsWiped() throws {
        try onMain {
            let source = try PretendedProfiles.two()
            let profiles = started(source)
            var steps: [String] = []
            profiles.endCalls = { steps.append("calls of \($0) end, wiped: \(source.wiped)") }
            profiles.remove(1)
            XCTAssertEqual(profiles.shown.id, 2)
            XCTAssertEqual(source.kept[1]?.standing, .leaving)
            wait(for: "it to be forgotten") { source.kept[1] == nil }
            XCTAssertEqual(source.wiped, [1])
            XCTAssertEqual(steps, ["calls of 1 end, wiped: []"])
            end(profiles)
        }
    }

    func testAProfileThatCantBeWipedStaysMarkedAndThePersonIsTold() throws {
        try onMain {
            let source = try PretendedProfiles.two()
            source.fault = AccountError.inUse("x")
            let profiles = started(source)
            var notices: [String] = []
            profiles.onNotice = { notices.append($0) }
            profiles.remove(2)
            wait(for: "the notice") { notices.count == 1 }
            XCTAssertEqual(source.kept[2]?.standing, .leaving)
            end(profiles)
        }
    }

    func testAProfileThatIsOpenedAgainHasAnAccountOfItsOwnAnew() throws {
        try onMain {
            let source = try PretendedProfiles.two()
            let profiles = started(source)
            let former = source.providers[2]
            profiles.close(2)
            XCTAssertEqual(profiles.all.map(\.id), [1])
            XCTAssertNil(source.providers[1]?.profileLabel?.name, "it is alone now")
            profiles.show(2)
            wait(for: "the account") { source.providers[2]?.startCount == 1 && source.providers[2] !== former }
            XCTAssertEqual(profiles.shown.id, 2)
            end(profiles)
        }
    }

    func testWhatIsMissedInAnotherProfileIsCountedUntilItIsShown() throws {
        try onMain {
            let source = try PretendedProfiles.two()
            let profiles = started(source)
            let contact = FakeScript.answers.contact
            source.providers[2]?.channel.yield(
                .missed(MissedCallItem(contact: contact, kind: .audio, sentence: "Missed", isTold: false)))
            wait(for: "the count") { profiles.rows[1].state.contains("1 missed call") }
            profiles.show(2)
            XCTAssertTrue(profiles.rows[1].isShown)
            XCTAssertFalse(profiles.rows[1].state.contains("missed"), profiles.rows[1].state)
            end(profiles)
        }
    }

    func testBusyHoldsForAllProfiles() throws {
        try onMain {
            let source = try PretendedProfiles.two()
            let profiles = started(source)
            Task { await profiles.setBusy(true) }
            wait(for: "all of them") { source.providers.values.allSatisfy(\.isBusy) }
            end(profiles)
        }
    }
}
