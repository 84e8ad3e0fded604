import Calling
import TestSupport
import Testing

@testable import Parley

/// What two accounts in a call say of their sources, beside the media.
@Suite("What a peer says of its sources", .timeLimit(.minutes(5))) struct PeerStatementTests {
    @Test func `mute, camera, screen and hold are seen at once, whatever becomes of the relay`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (ann, bob) = try await pair.talk()
            try await bob.receives(video: 5, audio: 5)
            try await ann.receives(video: 5, audio: 5)
            // No message gets through from here on.
            await neighbourhood.server.stop()

            await ann.setMicrophoneEnabled(false)
            try await bob.state("Ann is muted") { !$0.peerMicrophone && $0.peerCamera }
            await ann.setCameraEnabled(false)
            try await bob.state("her camera is off") { !$0.peerMicrophone && !$0.peerCamera }
            #expect(!bob.state.isPeerPicturePaused)
            await ann.setMicrophoneEnabled(true)
            await ann.setCameraEnabled(true)
            try await bob.state("both are on") { $0.peerMicrophone && $0.peerCamera }
            await ann.startScreen(.test)
            try await bob.state("her screen is shared") { $0.peerScreen }
            await ann.stopScreen()
            try await bob.state("it is not any more") { !$0.peerScreen }

            try await ann.hold()
            try await bob.state("Ann has put him on hold") { $0.hold.isHeldByPeer }
            try await ann.resume()
            try await bob.state("she goes on") { !$0.hold.isHeldByPeer && $0.peerMicrophone && $0.peerCamera }
            #expect(bob.state.isActive && ann.state.isActive)

            // What was sent meanwhile comes with the relay, and is old by then.
            _ = try await neighbourhood.server.start()
            try await ann.hold()
            try await bob.state("on hold again") { $0.hold.isHeldByPeer }
            await ann.hangUp()
            #expect(try await bob.endReason() == .peerHungUp)
        }
    }
}
