import ArgumentParser
import BaseKit
import Cryptography
import Foundation
import Media
import MediaRules

/// One side of a measured call; started by ``NetworkCommand`` in a namespace. Lines of JSON come and go on its standard input
/// and output.
struct PeerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "network-peer", abstract: "One side of a measured call.", shouldDisplay: false)

    @Flag(help: "Make the offer.")
    var offers = false

    @Option(help: "The film to show.", transform: SourceArgument.film)
    var film: SourceArgument

    @Option(help: "The film to share as a screen, with a tone.", transform: SourceArgument.film)
    var screen: SourceArgument?

    @Flag(help: "Send no pictures.")
    var soundAlone = false

    @Flag(help: "Tell a picture that is shown with the figures.")
    var tellsPictures = false

    func run() async throws {
        var began = Instant.now
        var configuration = PeerSessionConfiguration(
            role: offers ? .offerer : .answerer, camera: CameraSource(film), microphone: .test, speaker: .none)
        configuration.frameEncryption = .aes256GCM(SecretBytes([UInt8](repeating: 7, count: 32)))
        if soundAlone { configuration.media = .audio }
        let session = try await PeerSession.open(configuration)
        let pictures = PictureTimes()
        session.remoteVideo.setHandler { [weak feed = session.remoteVideo] in
            if let rows = feed?.latest()?.height { pictures.add(rows: rows) }
        }
        if offers { PeerLine.offer(try await session.makeOffer()).tell() }
        let reports = Task {
            for await event in session.events {
                switch event {
                case .candidates(let candidates): PeerLine.candidates(candidates).tell()
                // On a narrow link there may never be a picture.
                case .firstAudioFrame: PeerLine.started.tell()
                case .firstVideoFrame:
                    if let screen = screen.flatMap(ScreenSource.init) {
                        await session.startScreen(screen, sound: .test)
                    }
                case .notice(let notice): FileHandle.standardError.write(Data("\(notice)\n".utf8))
                case .failed(let error): PeerLine.failed("\(error)").tell()
                default: break
                }
            }
        }
        var told = 0
        for await line in PeerLine.input {
            switch line {
            case .offer(let offer):
                began = .now
                PeerLine.answer(try await session.makeAnswer(to: offer.sdp, candidates: offer.candidates)).tell()
            case .answer(let answer): try await session.apply(answer: answer.sdp, candidates: answer.candidates)
            case .candidates(let candidates): await session.add(candidates)
            case .ask:
                let (statistics, pause) = (await session.statistics(), await session.takeVoicePause())
                let shown = pictures.take()
                var figures = PeerFigures(statistics, pictures: shown, soundGap: Int(pause.wholeMilliseconds))
                figures.large = shown.large.map { ($0 - began) / .milliseconds(1) }
                if tellsPictures, shown.count > told, let frame = session.remoteVideo.latest() {
                    figures.picture = LumaPicture(frame, width: frame.width, height: frame.height)
                }
                told = shown.count
                PeerLine.figures(figures).tell()
            case .figures, .started, .failed: break
            }
        }
        await session.close()
        await reports.value
    }
}
