import BaseKit
import CGStreamer
import GLibKit
import Synchronization
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    @Suite struct PlayoutMixerTests {
        @Test func `the voices of several members are heard together, each as loud as is wished`() async throws {
            try MediaRuntime.start()
            let pipeline = try Pipeline { _ in }
            let mixer = try PlayoutMixer(latency: 50)
            let ear = try Element.bin(
                """
                audioconvert ! audioresample ! audio/x-raw,format=S16LE,rate=48000,channels=1 ! \
                appsink name=ear sync=false async=false
                """)
            pipeline.element.add(mixer.element, ear)
            #expect(mixer.element.link(to: ear))
            let tones = [UInt8(2): 500.0, 3: 1_300, 4: 3_100]
            for (member, frequency) in tones {
                let voice = try Element.bin(
                    """
                    audiotestsrc is-live=true volume=0.2 freq=\(frequency) ! \
                    audio/x-raw,format=S16LE,rate=48000,channels=2 ! appsink name=voice sync=false async=false
                    """)
                try voice.child("voice").onSample { mixer.play($0, of: PlayedSound(member: member, slot: .microphone)) }
                pipeline.element.add(voice)
            }
            let heard = Shared<[Int16]>([])
            try ear.child("ear").onSample { heard.value = heard.value.suffix(4_800) + $0.samples }
            pipeline.element.setState(GST_STATE_PLAYING)
            let hears: @Sendable (UInt8) -> Bool = { member in
                let samples = heard.value
                return samples.count >= 4_800 && samples.strength(of: tones[member] ?? 0) > 0.05
            }
            try await eventually { hears(2) && hears(3) && hears(4) }
            mixer.setVolume(0, of: 3)
            try await eventually { hears(2) && !hears(3) && hears(4) }
            mixer.setVolume(1, of: 3)
            try await eventually { hears(2) && hears(3) && hears(4) }
            await MediaQueue.run { pipeline.close() }
        }
    }
}
