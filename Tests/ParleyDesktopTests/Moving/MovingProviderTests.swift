import Foundation
import Parley
import TestSupport
import Testing

@testable import DesktopApplication

/// A real account whose profile is moved, as the windows are told.
@Suite(.windows, .serialized, .timeLimit(.minutes(5)))
final class MovingProviderTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.
    @MainActor private final class World {
        let folder: TemporaryFolder
        let provider: AccountProvider
        private(set) var steps: [String] = []
        private(set) var parts: [Double] = []

        init() throws {
            folder = try TemporaryFolder()
            var configuration = AccountConfiguration(directory: folder.file("profile"))
            configuration.storeKey = .keyFile
            provider = AccountProvider(configuration)
            Task { [weak self, updates = provider.updates] in
                for await update in updates {
                    switch update {
                    case .ready: self?.steps.append("ready")
                    case .failed(let sentence): self?.steps.append(sentence)
                    case .moved: self?.steps.append("moved")
                    default: break
                    }
                }
            }
            Task { await provider.start(mayAsk: false) }
        }

        func move() -> Task<Void, any Error> {
            Task {
                try await provider.moveProfile(to: folder.file("file"), passphrase: "correct horse") { [weak self] in
                    self?.parts.append($0)
                }
            }
        }
    }

    @MainActor private final class Outcome {
        var isOver = false
        var error: (any Error)?
    }

    @Test func `who thinks better of it has the profile open again`() throws {
        try onMain {
            let world = try World()
            wait(for: "the account") { world.steps == ["ready"] }
            let moving = world.move()
            moving.cancel()
            let outcome = Outcome()
            Task {
                do { try await moving.value } catch { outcome.error = error }
                outcome.isOver = true
            }
            wait(for: "the end") { outcome.isOver }
            #expect(outcome.error is CancellationError, "\(String(describing: outcome.error))")
            wait(for: "the account") { world.steps == ["ready", "ready"] }
            #expect(throws: Never.self) { try world.provider.opened() }
            #expect(!FileManager.default.fileExists(atPath: world.folder.file("file")))
            close(world)
        }
    }

    @Test func `how far it has come is told until it has moved`() throws {
        try onMain {
            let world = try World()
            wait(for: "the account") { world.steps == ["ready"] }
            _ = world.move()
            wait(for: "the end") { world.steps == ["ready", "moved"] && world.parts.last == 1 }
            #expect(world.parts == world.parts.sorted())
            #expect(throws: (any Error).self) { try world.provider.opened() }
            close(world)
        }
    }

    @MainActor private func close(_ world: World) {
        let outcome = Outcome()
        Task {
            await world.provider.close()
            outcome.isOver = true
        }
        wait(for: "the end of the account") { outcome.isOver }
    }
}
