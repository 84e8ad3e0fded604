/// Fresh random bytes in small pieces, made many at a time: asking the system for the twelve of a vector costs about as much as sealing
/// a packet of sound.
///
/// Each stock is a stream of ChaCha20 from a seed of its own, which the system's generator gives and nobody keeps.
/// For values that are public once they are used; keys are ``SecretBytes/random(_:)``. For one thread at a time. It allocates
/// nothing once it is made.
public final class RandomSupply {
    private let stock: UnsafeMutableRawBufferPointer
    private var used: Int

    /// Holds up to `count` bytes; it makes the first ones when they are wanted.
    public init(count: Int = 3_072) {
        stock = .allocate(byteCount: max(count, 1), alignment: 16)
        used = stock.count
    }

    deinit { stock.deallocate() }

    /// Fills a place with bytes that are given to nobody else.
    public func fill(_ place: UnsafeMutableRawBufferPointer) {
        guard place.count <= stock.count else { return Sodium.fill(place) }
        if used + place.count > stock.count {
            Sodium.expand(into: stock)
            used = 0
        }
        place.copyMemory(from: UnsafeRawBufferPointer(rebasing: stock[used..<used + place.count]))
        used += place.count
    }
}
