import GLibKit
import MediaRules
import Parley
import Synchronization
import Testing

@testable import DesktopApplication

/// What is played for the calls that are shown.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class CallSoundsTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    /// Notes what it is asked to play.
    private final class Ear: CallSounds.Player {
        private let heard = Mutex<[String]>([])

        var log: [String] { heard.withLock { $0 } }

        func play(_ request: SoundRequest) {
            let tone = CallTones.Tone.allCases.first { "\(request.file)".contains("/\($0).flac") }
            heard.withLock { $0.append(tone?.rawValue ?? "?") }
        }

        func stop() { heard.withLock { $0.append("-") } }
    }

    /// A presenter whose calls are heard.
    @MainActor private struct World {
        let ear = Ear()
        let sounds: CallSounds
        let presenter = CallPresenter()

        init() {
            let sounds = CallSounds(ear) { SoundRequest($0, ring: RingChoices(), speaker: nil) }
            presenter.onState = { sounds.follow($0) }
            self.sounds = sounds
        }
    }

    @Test func `a call that is shown rings until it is accepted`() {
        onMain {
            let (world, call) = (World(), StillCall("Ada", .ringingIn))
            world.presenter.show(call)
            #expect(world.ear.log == ["ring"])
            call.change { $0.stage = .connecting }
            wait(for: "silence") { world.ear.log == ["ring", "-"] }
        }
    }

    @Test func `a call that is dismissed while it rings is silent at once`() {
        onMain {
            let world = World()
            world.presenter.show(StillCall("Ada", .ringingIn))
            world.presenter.dismiss()
            #expect(world.ear.log == ["ring", "-"])
        }
    }

    @Test func `a call that says nothing more is silent`() {
        onMain {
            let (world, call) = (World(), StillCall("Ada", .ringingIn))
            world.presenter.show(call)
            call.fallSilent()
            wait(for: "silence") { world.ear.log == ["ring", "-"] }
        }
    }

    @Test func `the caller's tones follow the call`() {
        onMain {
            let (world, call) = (World(), StillCall("Ada", .ringingOut))
            world.presenter.show(call)
            call.change { $0.isDelivered = true }
            wait(for: "it to ring there") { world.ear.log == ["ringback"] }
            call.change {
                $0.isPeerBusy = true
                $0.stage = .ended(sentence: "Busy.")
            }
            wait(for: "the busy tone") { world.ear.log == ["ringback", "busy"] }
            world.presenter.dismiss()
            #expect(world.ear.log == ["ringback", "busy"], "the page goes and takes the tone away")
        }
    }

    @Test func `nothing is heard any more once the program ends`() {
        onMain {
            let world = World()
            world.presenter.show(StillCall("Ada", .ringingIn))
            world.sounds.close()
            world.presenter.show(StillCall("Bob", .ringingIn))
            #expect(world.ear.log == ["ring", "-"])
        }
    }

    @Test func `each tone has its file among the program's resources`() throws {
        try Resources.register(base64: embeddedResources)
        try onMain {
            for tone in CallTones.Tone.allCases {
                let request = SoundRequest(tone, ring: RingChoices(), speaker: nil)
                guard case .resource(let path) = request.file else {
                    Issue.record("\(tone) is none of the resources")
                    continue
                }
                try #expect(Resources.contents(of: path).starts(with: Array("fLaC".utf8)), "\(path)")
            }
        }
    }
}
