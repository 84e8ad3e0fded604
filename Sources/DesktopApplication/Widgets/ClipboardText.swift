import CGLib
import CGtk
import GLibKit

/// The text that another program has put into the clipboard.
@MainActor enum ClipboardText {
    private static let type = "text/plain;charset=utf-8"
    /// How much is read at a time.
    private static let portion = 8_192

    /// Reads it; nil when there is none, it is the program's own, or has more bytes than that.
    static func read(over widget: Widget, atMost count: Int) async -> String? {
        guard let clipboard = gtk_widget_get_clipboard(widget.pointer()), gdk_clipboard_is_local(clipboard) == 0,
            gdk_content_formats_contain_mime_type(gdk_clipboard_get_formats(clipboard), type) != 0,
            let stream = await open(clipboard)
        else { return nil }
        var bytes: [UInt8] = []
        while let part = await read(stream) {
            guard !part.isEmpty else { return String(validating: bytes, as: UTF8.self) }
            bytes += part
            guard bytes.count <= count else { return nil }
        }
        return nil
    }

    private typealias Opening = CheckedContinuation<Object?, Never>
    private typealias Reading = CheckedContinuation<[UInt8]?, Never>

    private static func open(_ clipboard: OpaquePointer) async -> Object? {
        await withCheckedContinuation { (continuation: Opening) in
            type.withCString { type in
                var types: [UnsafePointer<CChar>?] = [type, nil]
                gdk_clipboard_read_async(
                    clipboard, &types, G_PRIORITY_DEFAULT, nil,
                    { source, result, data in
                        guard let data else { return }
                        let continuation = CallbackData.value(Opening.self, at: data)
                        CallbackData.release(data)
                        let stream = source.flatMap { gdk_clipboard_read_finish(OpaquePointer($0), result, nil, nil) }
                        // Nobody else has it.
                        nonisolated(unsafe) let adopted = stream.map { Object(adopting: UnsafeMutableRawPointer($0)) }
                        continuation.resume(returning: adopted)
                    }, CallbackData.keeping(continuation))
            }
        }
    }

    /// The next portion, empty at the end; nil when that fails.
    private static func read(_ stream: Object) async -> [UInt8]? {
        await withCheckedContinuation { (continuation: Reading) in
            g_input_stream_read_bytes_async(
                stream.pointer(), gsize(portion), G_PRIORITY_DEFAULT, nil,
                { source, result, data in
                    guard let data, let source else { return }
                    let continuation = CallbackData.value(Reading.self, at: data)
                    CallbackData.release(data)
                    let stream = UnsafeMutableRawPointer(source).assumingMemoryBound(to: GInputStream.self)
                    guard let read = g_input_stream_read_bytes_finish(stream, result, nil) else {
                        return continuation.resume(returning: nil)
                    }
                    defer { g_bytes_unref(read) }
                    var count: gsize = 0
                    let start = g_bytes_get_data(read, &count)
                    continuation.resume(
                        returning: Array(UnsafeRawBufferPointer(start: start, count: Int(count))))
                }, CallbackData.keeping(continuation))
        }
    }
}
