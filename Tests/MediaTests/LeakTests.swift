import Glibc
import Testing

@testable import Media

extension RealMedia {
    @Suite struct LeakTests {
        @Test func `ten calls in sequence leave nothing behind`() async throws {
            try await Self.runCall()
            let (descriptors, threads) = (Self.entries(of: "/proc/self/fd"), Self.entries(of: "/proc/self/task"))
            for _ in 0..<10 { try await Self.runCall() }
            try await eventually { PeerSession.live == 0 && Pipeline.live == 0 }
            #expect(Capture.live == 0)
            // Pools of the runtime and of GLib may still grow by a few.
            #expect(Self.entries(of: "/proc/self/fd") <= descriptors + 8)
            #expect(Self.entries(of: "/proc/self/task") <= threads + 8)
        }

        @Test func `a session that is only dropped frees its pipelines`() async throws {
            do {
                let call = try await Loopback { offerer, answerer in
                    offerer.camera = .none
                    answerer.camera = .none
                    offerer.microphone = .none
                    answerer.microphone = .none
                }
                _ = try await call.offerer.makeOffer()
                await call.offerer.close()
                await call.answerer.close()
            }
            try await eventually { PeerSession.live == 0 && Pipeline.live == 0 }
        }

        private static func runCall() async throws {
            let call = try await Loopback()
            try await call.connect()
            await call.offererLog.wait(for: .firstVideoFrame)
            await call.answererLog.wait(for: .firstVideoFrame)
            await call.close()
        }

        private static func entries(of path: String) -> Int {
            guard let folder = opendir(path) else { return 0 }
            defer { closedir(folder) }
            var count = 0
            while readdir(folder) != nil { count += 1 }
            return count
        }
    }
}
