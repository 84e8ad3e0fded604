import BaseKit
import SMP
import SMPSession

/// A way for messages: from one connection through a queue to another connection.
struct Route: Sendable {
    let sender: Station
    let senderID: EntityID
    /// The key SEND is signed with is the one the queue was secured with: that of the queue's owner.
    let owner: Station
    let index: Int
}

/// Connections with queues between them, and what flows at the moment.
final class Fleet: Sendable {
    private struct State {
        var stations: [Station] = []
        var listeners: [Task<Void, Never>] = []
        var routes: [Route] = []
        var indexes: [EntityID: Int] = [:]
        var queues: [LoadQueue] = []
        var flow: DeliveryFlow?
    }

    /// About as long as the messages of agents, which are padded to nearly a block.
    static let body = [UInt8](repeating: 0x50, count: 16_000)
    /// So many connections are made at the same time.
    private static let parallelConnects = 16
    /// NEW with its signature takes about 190 bytes of a block's 16,365.
    static let batch = 64

    let subject: Subject
    private let state = Lock(State())

    private init(subject: Subject) { self.subject = subject }

    /// Makes connections.
    ///
    /// - Returns: the fleet, and how long connecting took.
    /// - Parameter addresses: own addresses to connect from, in turns; none as the system chooses.
    static func connect(
        _ count: Int, to subject: Subject, from addresses: [String] = []
    ) async throws(BenchError) -> (Fleet, Duration) {
        let fleet = Fleet(subject: subject)
        let start = Instant.now
        let results = await withTaskGroup(of: Result<Station, BenchError>.self) { group in
            var results: [Result<Station, BenchError>] = []
            for index in 0..<count {
                if index >= parallelConnects, let result = await group.next() { results.append(result) }
                let own = addresses.isEmpty ? nil : addresses[index % addresses.count]
                group.addTask {
                    do throws(BenchError) { return .success(try await Station.connect(to: subject, from: own)) } catch {
                        return .failure(error)
                    }
                }
            }
            for await result in group { results.append(result) }
            return results
        }
        let duration = Instant.now - start
        for result in results { fleet.add(try result.get()) }
        return (fleet, duration)
    }

    var stations: [Station] { state.withLock { $0.stations } }
    var routeCount: Int { state.withLock { $0.routes.count } }

    /// Makes queues for each connection, their senders being the next connections.
    func makeRoutes(each count: Int) async throws(BenchError) {
        let stations = stations
        let results = await withTaskGroup(of: Result<Void, BenchError>.self) { group in
            for (index, station) in stations.enumerated() {
                group.addTask { [self] in
                    await makeRoutes(count, owner: station, sender: stations[(index + 1) % stations.count])
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for result in results { try result.get() }
    }

    private func makeRoutes(_ count: Int, owner: Station, sender: Station) async -> Result<Void, BenchError> {
        do throws(BenchError) {
            var missing = count
            while missing > 0 {
                let made = try await owner.makeQueues(min(missing, Self.batch))
                missing -= made.count
                add(made, owner: owner, sender: sender)
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    func route(_ index: Int) -> Route? {
        state.withLock { $0.routes.isEmpty ? nil : $0.routes[index % $0.routes.count] }
    }

    func use(_ flow: DeliveryFlow?) { state.withLock { $0.flow = flow } }

    func close() async {
        let (stations, listeners) = state.withLock { ($0.stations, $0.listeners) }
        for station in stations { await station.connection.close() }
        for listener in listeners { listener.cancel() }
    }

    private func add(_ queues: [LoadQueue], owner: Station, sender: Station) {
        state.withLock { state in
            for queue in queues {
                let index = state.routes.count
                state.routes.append(Route(sender: sender, senderID: queue.senderID, owner: owner, index: index))
                state.indexes[queue.recipientID] = index
                state.queues.append(queue)
            }
        }
    }

    private func add(_ station: Station) {
        let listener = Task { [self] in
            for await event in station.connection.events {
                switch event {
                case .message(let queue, let id, let body): Task { await receive(queue, id, body, at: station) }
                case .down(let reason): state.withLock { $0.flow }?.fail("\(reason)")
                default: break
                }
            }
        }
        state.withLock { state in
            state.stations.append(station)
            state.listeners.append(listener)
        }
    }

    /// Takes a message and those that come in answer to its acknowledgement.
    private func receive(_ recipient: EntityID, _ id: MessageID, _ body: [UInt8], at station: Station) async {
        let (flow, index, queue) = state.withLock { state in
            let index = state.indexes[recipient]
            return (state.flow, index, index.map { state.queues[$0] })
        }
        guard let flow, let index, let queue else { return }
        var arrived = (id: id, body: body)
        while true {
            if flow.arrived(route: index) { check(arrived.body, arrived.id, queue, flow) }
            do throws(RelayRequestError) {
                let answer = try await station.connection.request(
                    RelayRequest(.acknowledge(arrived.id), entity: recipient, key: station.keys.recipient))
                flow.acknowledged()
                guard case .message(let next, let body) = answer else { return }
                arrived = (next, body)
            } catch {
                return flow.fail("\(error)")
            }
        }
    }

    /// A message has to be the one that was sent.
    private func check(_ sealed: [UInt8], _ id: MessageID, _ queue: LoadQueue, _ flow: DeliveryFlow) {
        guard let secret = queue.secret else { return }
        let opened = try? MessageBody(opening: sealed, secret: secret, id: id)
        guard case .message(_, _, let body) = opened, body == Self.body else {
            return flow.fail("It delivered a message that was not sent.")
        }
    }
}
