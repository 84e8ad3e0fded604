import BaseKit
import Foundation
import NetworkEmulation

/// Which programs are at the ends of a measured call.
enum CallProgram: String, Codable, Sendable {
    case parley, chromium

    var name: String {
        switch self {
        case .parley: "Parley"
        case .chromium: "Chromium"
        }
    }
}

/// The two ends of a measured call, each with a folder and a sound server of its own. The second one is who accepts.
final class CallEnds: Sendable {
    let first: any CallEndpoint
    let second: any CallEndpoint
    let rooms: [SoundRoom]
    /// What ends all that was started, in the order in which it was.
    private let endings: [@Sendable () -> Void]

    /// Starts them, in a folder each below `folder`. `emulator`: the network between them; nil: there is none. `hasPictures`: whether browsers
    /// send any. `drawsWindows`: whether each draws its pictures in a window, on a screen of its own. Throws ``BenchError``.
    init(
        _ program: CallProgram, film: CallFilm, folder: String, over emulator: NetworkEmulator?,
        hasPictures: Bool = true, drawsWindows: Bool = false
    ) async throws {
        var (ends, rooms, endings) = ([any CallEndpoint](), [SoundRoom](), [@Sendable () -> Void]())
        do {
            for side in [emulator?.first, emulator?.second] {
                let folder = folder + "/\(UUID().uuidString)"
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                endings.append { try? FileManager.default.removeItem(atPath: folder) }
                let room = try await SoundRoom(in: folder)
                endings.append { room.stop() }
                rooms.append(room)
                let screen = drawsWindows ? try await PictureScreen(in: folder) : nil
                if let screen { endings.append { screen.stop() } }
                let prefix = side?.prefix ?? []
                let end: any CallEndpoint
                switch program {
                case .parley:
                    try room.speak()
                    end = try ParleyEndpoint(film: film.parley, room: room, screen: screen, folder: folder, in: prefix)
                case .chromium:
                    end = try ChromiumEndpoint(
                        film: film.path, sound: film.sound, hasPictures: hasPictures, room: room, screen: screen,
                        folder: folder, in: prefix)
                }
                endings.append { end.stop() }
                ends.append(end)
            }
        } catch {
            for end in endings.reversed() { end() }
            throw error
        }
        (first, second) = (ends[0], ends[1])
        (self.rooms, self.endings) = (rooms, endings)
    }

    var both: [any CallEndpoint] { [first, second] }

    /// Waits until both can be told to call. Throws ``BenchError/call(_:)``.
    func ready() async throws {
        for end in both { try await end.news.next(within: .seconds(60)) { if case .ready = $0 { true } else { nil } } }
        // What a program does at its start is over.
        try await Task.sleep(for: .seconds(2))
    }

    /// Has the first call the second. Throws ``BenchError/call(_:)``.
    func call() async throws {
        first.carryCandidates(to: second)
        second.carryCandidates(to: first)
        // The callee makes the offer.
        let offer = try await second.ask(.makeOffer) { if case .offer(let offer) = $0 { offer } else { nil } }
        let answer = try await first.ask(.takeOffer(offer)) { if case .answer(let answer) = $0 { answer } else { nil } }
        second.tell(.takeAnswer(answer))
    }

    /// Ends them with all that they have, what was started last first.
    func stop() { for end in endings.reversed() { end() } }
}
