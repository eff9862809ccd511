#include "backends/lowering/emission_order.h"

#include "backends/reference/node_values.h"
#include "backends/reference/operators.h"

#include <queue>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

namespace et::backends::lowering {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::Argument;
using etrecord::Node;

constexpr std::size_t noPart = static_cast<std::size_t>(-1);

template <class Visit>
void forResults(const Node& node, const Visit& visit) {
    for (const Argument& output : node.outputs) {
        reference::forNames(output, visit);
    }
}

class Scheduler {
  public:
    Scheduler(const EdgeMethod& of, std::span<const DelegatedPart> with)
        : method(of), parts(with), partOf(of.graph().nodes.size(), noPart), needed(partOf.size(), false) {}

    Result<std::vector<EmittedMethod::Origin>> run() {
        for (std::size_t part = 0; part < parts.size(); ++part) {
            for (const NodeIndex node : parts[part].nodes) {
                partOf[node] = part;
            }
        }
        findNeeded();
        connect();
        return sort();
    }

  private:
    /// A unit is identified by a node; a part by its first node.
    NodeIndex unitOf(NodeIndex node) const {
        return partOf[node] == noPart ? node : parts[partOf[node]].nodes.front();
    }

    /// Walks back from the outputs: a part only needs its inputs, whatever constants its nodes read.
    void findNeeded() {
        std::vector<std::string_view> open;
        for (const Argument& output : method.graph().outputs) {
            reference::forNames(output, [&](const std::string& name) { open.emplace_back(name); });
        }
        while (!open.empty()) {
            const auto producer = method.producer(open.back());
            open.pop_back();
            if (!producer || needed[unitOf(*producer)]) {
                continue;
            }
            const NodeIndex unit = unitOf(*producer);
            needed[unit] = true;
            forInputs(unit, [&](std::string_view name) { open.push_back(name); });
        }
    }

    template <class Visit>
    void forInputs(NodeIndex unit, const Visit& visit) const {
        if (partOf[unit] != noPart) {
            std::ranges::for_each(parts[partOf[unit]].inputs, visit);
            return;
        }
        for (const Argument& argument : method.node(unit).inputs) {
            reference::forNames(argument, visit);
        }
    }

    void connect() {
        waits.assign(partOf.size(), 0);
        readers.resize(partOf.size());
        for (NodeIndex unit = 0; unit < partOf.size(); ++unit) {
            if (!needed[unit]) {
                continue;
            }
            std::set<NodeIndex> before;
            forInputs(unit, [&](std::string_view name) {
                if (const auto producer = method.producer(name); producer && unitOf(*producer) != unit) {
                    before.insert(unitOf(*producer));
                }
            });
            waits[unit] = before.size();
            for (const NodeIndex each : before) {
                readers[each].push_back(unit);
            }
        }
    }

    Result<std::vector<EmittedMethod::Origin>> sort() {
        std::priority_queue<NodeIndex, std::vector<NodeIndex>, std::greater<>> ready;
        const auto wanted = static_cast<std::size_t>(std::ranges::count(needed, true));
        for (NodeIndex unit = 0; unit < partOf.size(); ++unit) {
            if (needed[unit] && waits[unit] == 0) {
                ready.push(unit);
            }
        }
        std::vector<EmittedMethod::Origin> order;
        while (!ready.empty()) {
            const NodeIndex unit = ready.top();
            ready.pop();
            if (partOf[unit] == noPart) {
                order.emplace_back(std::in_place_index<0>, &method.node(unit));
            } else {
                order.emplace_back(std::in_place_index<1>, partOf[unit]);
            }
            for (const NodeIndex reader : readers[unit]) {
                if (--waits[reader] == 0) {
                    ready.push(reader);
                }
            }
        }
        if (order.size() != wanted) {
            return fail(ErrorCode::InvalidArgument, "nodes and delegates form a dependency cycle");
        }
        return order;
    }

    const EdgeMethod& method;
    std::span<const DelegatedPart> parts;
    std::vector<std::size_t> partOf;
    std::vector<bool> needed;
    std::vector<std::size_t> waits;
    std::vector<std::vector<NodeIndex>> readers;
};

}  // namespace

Result<std::vector<EmittedMethod::Origin>> emissionOrder(const EdgeMethod& method,
                                                         std::span<const DelegatedPart> parts) {
    return Scheduler(method, parts).run();
}

}  // namespace et::backends::lowering
