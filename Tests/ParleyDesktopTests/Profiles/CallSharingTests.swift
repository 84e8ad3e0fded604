import XCTest

import struct Calling.CallsElsewhere

@testable import DesktopApplication
@testable import FakeCalls

/// Calls of two profiles, one of which the person is in.
final class CallSharingTests: WindowTestCase, @unchecked Sendable {
    // Unchecked, as its parent.
    @MainActor private final class Scene {
        let source: PretendedProfiles
        let roster = CallRoster(CallPresenter())
        let profiles: Profiles
        let sharing: CallSharing

        init() throws {
            source = try PretendedProfiles.two()
            profiles = Profiles(source)
            sharing = CallSharing(profiles, roster)
            profiles.start()
        }

        func add(_ name: String, _ stage: CallStage, of profile: Int) -> StillCall {
            let call = StillCall(name, stage)
            call.profile = ProfileLabel(id: profile, name: nil)
            roster.add(call)
            return call
        }
    }

    @MainActor private func room(_ scene: Scene, _ room: MakingRoom?, for profile: Int) -> Bool {
        var answer: Bool?
        Task { answer = await scene.sharing.makeRoom(room, for: profile) }
        wait(for: "the answer") { answer != nil }
        return answer ?? false
    }

    func testACallOfAnotherProfileIsPutOnHoldOrEndedBeforeOneTakesItsPlace() throws {
        try onMain {
            let scene = try Scene()
            let call = scene.add("Ada", .active(since: .now), of: 1)
            XCTAssertFalse(room(scene, nil, for: 2))
            XCTAssertEqual(call.done, [])
            XCTAssertTrue(room(scene, .end, for: 2))
            XCTAssertTrue(room(scene, .hold, for: 2))
            XCTAssertEqual(call.done, ["hang up", "hold"])
            XCTAssertTrue(room(scene, nil, for: 2), "it is on hold")
        }
    }

    func testACallOfTheSameProfileIsLeftToThat() throws {
        try onMain {
            let scene = try Scene()
            let call = scene.add("Ada", .active(since: .now), of: 2)
            XCTAssertTrue(room(scene, nil, for: 2))
            XCTAssertTrue(room(scene, .hold, for: 2))
            XCTAssertEqual(call.done, [])
        }
    }

    func testACallThatIsNotOnYetCantBePutOnHold() throws {
        try onMain {
            let scene = try Scene()
            let call = scene.add("Ada", .ringingOut, of: 1)
            XCTAssertFalse(room(scene, .hold, for: 2))
            XCTAssertEqual(call.done, [])
        }
    }

    func testEachProfileIsToldOfTheCallsOfTheOther() throws {
        try onMain {
            let scene = try Scene()
            let call = scene.add("Ada", .active(since: .now), of: 1)
            scene.sharing.share()
            wait(for: "the word") {
                scene.source.providers[2]?.callsElsewhere == CallsElsewhere(count: 1, hasAttention: true)
            }
            XCTAssertEqual(scene.source.providers[1]?.callsElsewhere, CallsElsewhere())
            call.change { $0.stage = .ended(sentence: "Over.") }
            scene.sharing.share()
            wait(for: "the end") { scene.source.providers[2]?.callsElsewhere == CallsElsewhere() }
        }
    }

    func testOnlyTheCallsOfAProfileThatIsClosedAreEnded() throws {
        try onMain {
            let scene = try Scene()
            let (one, two) = (scene.add("Ada", .ringingOut, of: 1), scene.add("Ben", .active(since: .now), of: 2))
            let three = scene.add("Cleo", .ringingIn, of: 2)
            var isDone = false
            Task {
                await scene.sharing.endCalls(of: 2)
                isDone = true
            }
            wait(for: "the end") { isDone }
            XCTAssertEqual([one.done, two.done, three.done], [[], ["hang up"], []])
        }
    }
}
