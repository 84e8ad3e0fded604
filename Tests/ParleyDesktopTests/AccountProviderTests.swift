import Agent
import Testing
import Wording

@testable import DesktopApplication
@testable import Parley

/// What the windows are told of a real account.
@Suite(.windows, .serialized, .timeLimit(.minutes(5)))
final class AccountProviderTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.
    @MainActor private final class Told {
        var isReady = false
        var isOver = false
        var troubles: [String?] = []
        var steps: [String] = []
    }

    @Test func `contacts and relays are known when the account is ready`() throws {
        try onMain {
            var configuration = AccountConfiguration(directory: try RunningProgram.emptyFolder().path + "/profile")
            configuration.storeKey = .unkept
            let provider = AccountProvider(configuration)
            let told = Told()
            Task {
                for await update in provider.updates {
                    switch update {
                    case .ready: told.steps.append("ready")
                    case .contacts: told.steps.append("contacts")
                    case .relays: told.steps.append("relays")
                    default: break
                    }
                }
            }
            Task { await provider.start(mayAsk: false) }
            wait(for: "the account") { told.steps.contains("ready") }
            #expect(Set(told.steps.prefix { $0 != "ready" }) == ["contacts", "relays"])
            Task {
                await provider.close()
                told.isOver = true
            }
            wait(for: "the end of the account") { told.isOver }
        }
    }

    @Test func `what keeps the store from being written is trouble until it is over`() throws {
        try onMain {
            var configuration = AccountConfiguration(directory: try RunningProgram.emptyFolder().path + "/profile")
            configuration.storeKey = .unkept
            let provider = AccountProvider(configuration)
            let told = Told()
            Task {
                for await update in provider.updates {
                    switch update {
                    case .ready: told.isReady = true
                    case .trouble(let sentence): told.troubles.append(sentence)
                    default: break
                    }
                }
            }
            Task { await provider.start(mayAsk: false) }
            wait(for: "the account") { told.isReady }
            let account = try provider.opened()
            account.listeners.send(.storage(.full))
            wait(for: "the trouble") { told.troubles == [StoreError.full.sentence] }
            account.listeners.send(.storage(nil))
            wait(for: "its end") { told.troubles == [StoreError.full.sentence, nil] }
            Task {
                await provider.close()
                told.isOver = true
            }
            wait(for: "the end of the account") { told.isOver }
        }
    }
}
