import CSodium

// Secrets as text, for places that keep text only. Neither way depends on the digits in its time, nor leaves a copy.
extension SecretBytes {
    /// Two digits a byte, `0` to `9` and `a` to `f`, in ASCII.
    public var hexadecimal: SecretBytes {
        // libsodium closes the text with a zero byte, which is no part of it.
        let closed = SecretBytes(count: count * 2 + 1) { output in
            guard let address = output.bindMemory(to: CChar.self).baseAddress else { return }
            withPointer { _ = sodium_bin2hex(address, output.count, $0, count) }
        }
        return closed.withUnsafeBytes { SecretBytes(UnsafeRawBufferPointer(rebasing: $0.dropLast())) }
    }

    /// Reads such text; nil when it is anything else.
    public init?(hexadecimal text: SecretBytes) {
        guard text.count > 0, text.count.isMultiple(of: 2) else { return nil }
        var read = 0
        var status: Int32 = 0
        let value = SecretBytes(count: text.count / 2) { output in
            guard let address = output.bindMemory(to: UInt8.self).baseAddress else { return }
            status = text.withPointer { digits in
                digits.withMemoryRebound(to: CChar.self, capacity: text.count) {
                    sodium_hex2bin(address, output.count, $0, text.count, nil, &read, nil)
                }
            }
        }
        guard status == 0, read == text.count / 2 else { return nil }
        self = value
    }
}
