import BaseKit
import CGStreamer
import Dispatch
import MediaRules

/// Reads the QR codes of one picture.
public enum PictureCodes {
    /// How long a picture may take; none takes a tenth of that.
    private static let patience = Duration.seconds(10)

    /// The texts of the QR codes in a picture, each once.
    /// - Throws: ``MediaError``: GStreamer can't be started, or lacks what reads codes.
    public static func texts(in picture: GreyPicture) async throws -> [String] {
        try MediaRuntime.start()
        if let missing = CodeReader.missing { throw MediaError.missingElements(missing) }
        return try await MediaQueue.run { try read(picture) }
    }

    private static func read(_ picture: GreyPicture) throws(MediaError) -> [String] {
        let (found, over) = (Shared<[String]>([]), DispatchSemaphore(value: 0))
        let reader = try CodeReader(rate: nil) { code in
            if !found.value.contains(code.text) { found.value.append(code.text) }
        } onEnd: {
            over.signal()
        }
        defer { reader.close() }
        reader.input.setCaps(
            "video/x-raw,format=GRAY8,width=\(picture.width),height=\(picture.height),framerate=0/1")
        guard let buffer = buffer(picture) else { throw .pipeline("no memory for a picture") }
        gst_app_src_push_buffer(reader.input.pointer(), buffer)
        gst_app_src_end_of_stream(reader.input.pointer())
        _ = over.wait(timeout: .now() + DispatchTimeInterval(patience))
        return found.value
    }

    /// The pixels with rows as GStreamer has them: of a multiple of four bytes.
    private static func buffer(_ picture: GreyPicture) -> UnsafeMutablePointer<GstBuffer>? {
        let stride = (picture.width + 3) / 4 * 4
        guard let buffer = gst_buffer_new_allocate(nil, gsize(stride * picture.height), nil) else { return nil }
        picture.pixels.withUnsafeBytes { pixels in
            for row in 0..<picture.height {
                guard let start = pixels.baseAddress else { return }
                gst_buffer_fill(buffer, gsize(row * stride), start + row * picture.width, gsize(picture.width))
            }
        }
        buffer.pointee.pts = 0
        return buffer
    }
}
