import CSodium
import Glibc
import TestSupport

/// Makes keys and ids follow from a seed, on the thread that asks for it only; all other threads keep the system's generator.
enum SeededEntropy {
    /// Runs `body` with libsodium's generator seeded on this thread.
    static func with<Value>(seed: UInt64, _ body: () throws -> Value) rethrows -> Value {
        _ = installed
        let source = Source(SeededGenerator(seed: seed))
        let before = pthread_getspecific(key)
        pthread_setspecific(key, Unmanaged.passUnretained(source).toOpaque())
        defer { pthread_setspecific(key, before) }
        return try withExtendedLifetime(source, body)
    }

    private final class Source {
        var generator: SeededGenerator
        init(_ generator: SeededGenerator) { self.generator = generator }
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    private static let installed: Bool = {
        _ = key
        // libsodium keeps the pointer for good.
        let implementation = UnsafeMutablePointer<randombytes_implementation>.allocate(capacity: 1)
        implementation.initialize(to: randombytes_implementation())
        implementation.pointee.random = {
            var number: UInt32 = 0
            SeededEntropy.fill(&number, 4)
            return number
        }
        implementation.pointee.buf = { SeededEntropy.fill($0, $1) }
        return randombytes_set_implementation(implementation) == 0
    }()

    private static func fill(_ buffer: UnsafeMutableRawPointer?, _ count: Int) {
        guard let buffer else { return }
        let source = pthread_getspecific(key).map { Unmanaged<Source>.fromOpaque($0).takeUnretainedValue() }
        var system = SystemRandomNumberGenerator()
        var offset = 0
        while offset < count {
            var bits = source?.generator.next() ?? system.next()
            let part = min(8, count - offset)
            memcpy(buffer + offset, &bits, part)
            offset += part
        }
    }
}
