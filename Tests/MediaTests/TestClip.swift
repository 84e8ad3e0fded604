import BaseKit
import CGStreamer
import Glibc

@testable import Media

/// A short red film in a temporary file.
enum TestClip {
    static func make(pictures: Int = 10, width: Int = 320, height: Int = 240) throws -> String {
        try MediaRuntime.start()
        let path = "/tmp/parley-clip-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).ogg"
        let ended = Shared(false)
        let pipeline = try Pipeline { message in if case .endOfStream = message { ended.value = true } }
        let chain = try Element.bin(
            """
            videotestsrc num-buffers=\(pictures) pattern=red ! \
            video/x-raw,width=\(width),height=\(height),framerate=30/1 ! theoraenc ! oggmux ! filesink name=file
            """)
        try chain.child("file").set("location", path)
        pipeline.element.add(chain)
        pipeline.element.setState(GST_STATE_PLAYING)
        while !ended.value { usleep(2_000) }
        pipeline.close()
        return path
    }

    static func remove(_ path: String) { unlink(path) }
}
