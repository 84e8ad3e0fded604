/// Bytes in order, appended behind and taken from the front.
struct ByteQueue {
    private var bytes: [UInt8] = []
    private var start = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ more: ArraySlice<UInt8>) { bytes += more }

    func withFront<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }

    mutating func removeFirst(_ number: Int) {
        start += min(number, count)
        guard start == bytes.count || start >= 65_536 else { return }
        bytes.removeSubrange(..<start)
        start = 0
    }
}
