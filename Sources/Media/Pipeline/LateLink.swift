import CGStreamer
import GLibKit

extension Element {
    /// Links this decoder's pad of the wanted kind, such as `audio/`, when it appears; others lead nowhere.
    func linkLater(_ kind: String, to tail: Element) {
        connectOnEmittingThread("pad-added") { [weak tail] arguments in
            guard let object = arguments.object(0), let sink = tail?.pad("sink") else { return }
            let pad = Pad(retaining: object.pointer() as UnsafeMutableRawPointer)
            guard pad.mediaType?.hasPrefix(kind) == true else { return }
            pad.link(to: sink)
        }
    }
}
