import GLibKit
import MediaRules
import Parley
import Synchronization
import XCTest

@testable import DesktopApplication

/// What is played for the calls that are shown.
final class CallSoundsTests: WindowTestCase, @unchecked Sendable {
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

    func testACallThatIsShownRingsUntilItIsAccepted() {
        onMain {
            let (world, call) = (World(), StillCall("Ada", .ringingIn))
            world.presenter.show(call)
            XCTAssertEqual(world.ear.log, ["ring"])
            call.change { $0.stage = .connecting }
            wait(for: "silence") { world.ear.log == ["ring", "-"] }
        }
    }

    func testACallThatIsDismissedWhileItRingsIsSilentAtOnce() {
        onMain {
            let world = World()
            world.presenter.show(StillCall("Ada", .ringingIn))
            world.presenter.dismiss()
            XCTAssertEqual(world.ear.log, ["ring", "-"])
        }
    }

    func testACallThatSaysNothingMoreIsSilent() {
        onMain {
            let (world, call) = (World(), StillCall("Ada", .ringingIn))
            world.presenter.show(call)
            call.fallSilent()
            wait(for: "silence") { world.ear.log == ["ring", "-"] }
        }
    }

    func testTheCallersTonesFollowTheCall() {
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
            XCTAssertEqual(world.ear.log, ["ringback", "busy"], "the page goes and takes the tone away")
        }
    }

    func testNothingIsHeardAnyMoreOnceTheProgramEnds() {
        onMain {
            let world = World()
            world.presenter.show(StillCall("Ada", .ringingIn))
            world.sounds.close()
            world.presenter.show(StillCall("Bob", .ringingIn))
            XCTAssertEqual(world.ear.log, ["ring", "-"])
        }
    }

    func testEachToneHasItsFileAmongTheProgramsResources() throws {
        try Resources.register(base64: embeddedResources)
        try onMain {
            for tone in CallTones.Tone.allCases {
                let request = SoundRequest(tone, ring: RingChoices(), speaker: nil)
                guard case .resource(let path) = request.file else {
                    XCTFail("\(tone) is none of the resources")
                    continue
                }
                XCTAssertTrue(try Resources.contents(of: path).starts(with: Array("fLaC".utf8)), path)
            }
        }
    }
}
