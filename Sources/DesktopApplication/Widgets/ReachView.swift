import CGtk
import GLibKit
import Wording

/// How people reach the person: in this network, by a relay of one's own, or by a relay of others. Nothing is contacted before a button
/// is pressed.
@MainActor final class ReachView {
    /// What is shown.
    let root: Widget
    private let template = Template("reach-view")
    private let provider: any ReachProvider
    private let mark: WaitingMark
    private var isShowing = false
    private var isSwitchingPort = false
    private var following: Task<Void, Never>?
    private let onChange: @MainActor (ReachItem) -> Void

    /// Makes the widgets; `onChange` is told how people reach the person, at first and whenever that may have changed.
    init(_ provider: any ReachProvider, onChange: @escaping @MainActor (ReachItem) -> Void = { _ in }) {
        root = template.root
        self.provider = provider
        self.onChange = onChange
        mark = WaitingMark(template["relay_mark"])
        template["network_switch"].connect("notify::active") { [weak self] in self?.networkSwitched() }
        template["port_switch"].connect("notify::active") { [weak self] in self?.portSwitched() }
        template["relay_entry"].connect("changed") { [weak self] in self?.relayChanged() }
        template["relay_entry"].connect("entry-activated") { [weak self] in self?.testAndUse() }
        template["relay_button"].connect("clicked") { [weak self] in self?.testAndUse() }
        showOffers()
        Task { await refresh() }
        followPort()
    }

    isolated deinit { following?.cancel() }

    private var address: String { template["relay_entry"].text.trimmed }

    /// Shows what is known of the port as that changes.
    private func followPort() {
        following?.cancel()
        following = Task { [weak self, provider] in
            for await _ in await provider.portChanges() { await self?.refresh() }
        }
    }

    private func refresh() async {
        guard let reach = await provider.reach() else { return }
        isShowing = true
        template["network_switch"][property: "active"] = reach.isOpenToNetwork
        template["port_switch"][property: "active"] = reach.port != nil
        isShowing = false
        template["port_row"].isSensitive = reach.isOpenToNetwork
        template["port_switch"].isSensitive = reach.isOpenToNetwork && !isSwitchingPort
        say("network_state", reach.network ?? "", isError: false)
        say("port_state", reach.port?.sentence ?? "", isError: reach.port?.isClosed ?? false)
        template["reach_state"].text =
            switch reach.extent {
            case .thisMachine:
                tr("At present nobody else can open your links: your relay is at an address of this machine.")
            case .thisNetwork: tr("At present people in this network reach you.")
            case .everywhere: tr("At present people reach you from everywhere.")
            }
        onChange(reach)
    }

    private func networkSwitched() {
        guard !isShowing else { return }
        let isOn = template["network_switch"][property: "active"] ?? false
        template["network_switch"].isSensitive = false
        Task {
            do {
                try await provider.setOpenToNetwork(isOn)
                await refresh()
            } catch {
                await refresh()
                say("network_state", sentence(of: error), isError: true)
            }
            template["network_switch"].isSensitive = true
        }
    }

    private func portSwitched() {
        guard !isShowing else { return }
        let isOn = template["port_switch"][property: "active"] ?? false
        isSwitchingPort = true
        template["port_switch"].isSensitive = false
        Task {
            var failure: (any Error)?
            do { try await provider.setPortOpen(isOn) } catch { failure = error }
            isSwitchingPort = false
            followPort()
            await refresh()
            if let failure { say("port_state", sentence(of: failure), isError: true) }
        }
    }

    private func relayChanged() {
        template["relay_button"].isSensitive = !address.isEmpty
        say("relay_state", "", isError: false)
    }

    private func testAndUse() {
        guard template["relay_button"].isSensitive else { return }
        use(address, asksForAddress: template["ask_switch"][property: "active"] ?? false)
    }

    /// Tries a relay and, if it can be used, uses it.
    private func use(_ address: String, asksForAddress: Bool) {
        mark.show(true)
        template["relay_button"].isSensitive = false
        say("relay_state", tr("Trying the relay…"), isError: false)
        Task {
            let found = await provider.testRelay(address)
            do {
                if found.isGood { try await provider.useRelay(address, asksForAddress: asksForAddress) }
                say("relay_state", found.sentence, isError: !found.isGood)
                if found.isGood { await refresh() }
            } catch {
                say("relay_state", sentence(of: error), isError: true)
            }
            mark.show(false)
            template["relay_button"].isSensitive = !self.address.isEmpty
        }
    }

    private func showOffers() {
        do {
            let offers = try provider.offeredRelays()
            for row in offers.map(row) { gtk_list_box_append(template["offer_list"].pointer(), row.pointer()) }
            template["offer_list"].isVisible = !offers.isEmpty
            say("offer_state", offers.isEmpty ? tr("No list of relays is installed here.") : "", isError: false)
        } catch {
            template["offer_list"].isVisible = false
            say("offer_state", sentence(of: error), isError: true)
        }
    }

    private func row(_ offer: OfferedRelayItem) -> Widget {
        let template = Template("offered-relay")
        template.root.text = offer.operatorName
        var sentences = [offer.sees ?? tr("Nothing is said about what the operator learns.")]
        if offer.findsAddresses {
            sentences.append(tr("Calls ask it for your address: it learns when you are in one."))
        }
        template.root[property: "subtitle"] = sentences.joined(separator: " ")
        gtk_widget_set_tooltip_text(template.root.pointer(), offer.address)
        gtk_link_button_set_uri(template["conditions_button"].pointer(), offer.conditions)
        template["accept_button"].connect("clicked") { [weak self] in
            self?.use(offer.address, asksForAddress: offer.findsAddresses)
        }
        template["accept_button"].setAccessibleLabel(
            tr("Accept the conditions of %s and use the relay", offer.operatorName))
        return template.root
    }

    private func say(_ label: String, _ sentence: String, isError: Bool) {
        template[label].text = sentence
        template[label].isVisible = !sentence.isEmpty
        template[label].setClass("error", isError)
    }
}
