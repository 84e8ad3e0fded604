import ArgumentParser
import Parley
import Wording

/// `parley-cli requests`: lists who asks at the contact address.
struct Requests: ProfileCommand {
    static let configuration = CommandConfiguration(abstract: "List who asks at the contact address to be connected.")

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run(with account: Account, telling printer: EventPrinter) async throws {
        let requests = try await account.requestsWithinReach()
        if requests.isEmpty, !output.isJSON { printer.event("none", sentence: .tr("Nobody asks.")) }
        for request in requests { printer.request(request) }
    }
}

/// `parley-cli accept NAME`: accepts a request and stays until the two are connected.
struct Accept: ProfileCommand {
    static let configuration = CommandConfiguration(
        abstract: "Accept a contact request and wait until the two are connected.",
        discussion: "Whether you wait or not, it goes on at the next start.")

    @Argument(help: ArgumentHelp("The name or the number that “requests” prints.", valueName: "NAME"))
    var name: String

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run(with account: Account, telling printer: EventPrinter) async throws {
        let request = try await account.request(named: name)
        let pending = try await account.accept(request.id)
        printer.event("accepted", ["contact": .string(request.name)], sentence: .tr("Accepted %s.", request.shownName))
        printer.connected(try await pending.connected())
    }
}

/// `parley-cli reject NAME`: forgets a request.
struct Reject: ProfileCommand {
    static let configuration = CommandConfiguration(
        abstract: "Forget a contact request; whoever asked learns nothing.")

    @Argument(help: ArgumentHelp("The name or the number that “requests” prints.", valueName: "NAME"))
    var name: String

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run(with account: Account, telling printer: EventPrinter) async throws {
        let request = try await account.request(named: name)
        try await account.reject(request.id)
        printer.last(
            "rejected", ["contact": .string(request.name)],
            sentence: .tr("Forgot the request of %s.", request.shownName))
    }
}

extension Account {
    /// The requests, including those that wait at the relay: it is given a moment to hand them over.
    func requestsWithinReach() async throws -> [IncomingRequest] {
        let arrival = Task { [updates] in
            for await update in updates {
                if case .relay(let status) = update, status.isOwn, status.smpVersion != nil || status.problem != nil {
                    return
                }
            }
        }
        let alarm = Task {
            try await Task.sleep(for: .seconds(10))
            arrival.cancel()
        }
        await arrival.value
        alarm.cancel()
        var known = try await contactRequests()
        while true {
            try await Task.sleep(for: .milliseconds(300))
            let now = try await contactRequests()
            guard now != known else { return now }
            known = now
        }
    }

    /// The request of that name or number.
    func request(named name: String) async throws -> IncomingRequest {
        // Whoever asks chooses the name, which must not stand for somebody else's number or name.
        func find(_ requests: [IncomingRequest]) throws -> IncomingRequest? {
            if let numbered = requests.first(where: { "\($0.id)" == name }) { return numbered }
            let named = requests.filter { [$0.name, $0.shownName].contains(name) }
            guard named.count < 2 else { throw AccountError.severalRequests(name) }
            return named.first
        }
        if let known = try find(try await contactRequests()) { return known }
        guard let request = try find(try await requestsWithinReach()) else { throw AccountError.unknownRequest }
        return request
    }
}
