import Testing

import struct Calling.CallsElsewhere

@testable import DesktopApplication
@testable import FakeCalls

/// Calls of two profiles, one of which the person is in.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class CallSharingTests: WindowSuite, @unchecked Sendable {
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

    @Test func `a call of another profile is put on hold or ended before one takes its place`() throws {
        try onMain {
            let scene = try Scene()
            let call = scene.add("Ada", .active(since: .now), of: 1)
            #expect(!room(scene, nil, for: 2))
            #expect(call.done == [])
            #expect(room(scene, .end, for: 2))
            #expect(room(scene, .hold, for: 2))
            #expect(call.done == ["hang up", "hold"])
            #expect(room(scene, nil, for: 2), "it is on hold")
        }
    }

    @Test func `a call of the same profile is left to that`() throws {
        try onMain {
            let scene = try Scene()
            let call = scene.add("Ada", .active(since: .now), of: 2)
            #expect(room(scene, nil, for: 2))
            #expect(room(scene, .hold, for: 2))
            #expect(call.done == [])
        }
    }

    @Test func `a call that is not on yet can't be put on hold`() throws {
        try onMain {
            let scene = try Scene()
            let call = scene.add("Ada", .ringingOut, of: 1)
            #expect(!room(scene, .hold, for: 2))
            #expect(call.done == [])
        }
    }

    @Test func `each profile is told of the calls of the other`() throws {
        try onMain {
            let scene = try Scene()
            let call = scene.add("Ada", .active(since: .now), of: 1)
            scene.sharing.share()
            wait(for: "the word") {
                scene.source.providers[2]?.callsElsewhere == CallsElsewhere(count: 1, hasAttention: true)
            }
            #expect(scene.source.providers[1]?.callsElsewhere == CallsElsewhere())
            call.change { $0.stage = .ended(sentence: "Over.") }
            scene.sharing.share()
            wait(for: "the end") { scene.source.providers[2]?.callsElsewhere == CallsElsewhere() }
        }
    }

    @Test func `only the calls of a profile that is closed are ended`() throws {
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
            #expect([one.done, two.done, three.done] == [[], ["hang up"], []])
        }
    }
}
