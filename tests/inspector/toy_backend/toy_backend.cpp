#include "tests/inspector/toy_backend/toy_backend.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::test {
namespace {

using core::Result;
using executor::OperatorFamily;
using executor::TraceConventions;

constexpr std::string_view prefix = "toy:";

struct ToyNode {
    std::string_view kind;
    std::int64_t handle = 0;  ///< 0: none
};

Result<std::vector<ToyNode>> read(const program::Delegate& delegate) {
    std::string_view text(reinterpret_cast<const char*>(delegate.payload.data()), delegate.payload.size());
    std::vector<ToyNode> nodes;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        const std::size_t blank = line.find(' ');
        if (blank == std::string_view::npos) {
            return core::fail(core::ErrorCode::Format, "expected a kind and a handle");
        }
        ToyNode node{.kind = line.substr(0, blank)};
        std::from_chars(line.data() + blank + 1, line.data() + line.size(), node.handle);
        nodes.push_back(node);
    }
    return nodes;
}

bool isToyOperator(std::string_view name) {
    return name.starts_with(prefix);
}

std::string_view toyType(std::string_view name) {
    return name.substr(prefix.size(), name.find('@') - prefix.size());
}

constexpr std::array productTypes = std::to_array<std::string_view>({"matmul"});
constexpr std::array sumTypes = std::to_array<std::string_view>({"plus"});
constexpr std::array sumNodes = std::to_array<std::string_view>({"add"});
constexpr std::array families =
    std::to_array<OperatorFamily>({{.what = "toy products", .operators = productTypes, .products = true},
                                   {.what = "toy sums", .operators = sumTypes, .nodes = sumNodes}});
constexpr std::array layoutTypes = std::to_array<std::string_view>({"shuffle"});
constexpr TraceConventions traits{.isOperator = isToyOperator,
                                  .typeOf = toyType,
                                  .families = families,
                                  .uncounted = layoutTypes,
                                  .layouts = layoutTypes};

class ToyBackend final : public executor::Backend {
  public:
    [[nodiscard]] std::string_view name() const override { return "ToyBackend"; }
    [[nodiscard]] Result<std::unique_ptr<executor::LoadedDelegate>> load(
        const executor::DelegateSource&) const override {
        return core::fail(core::ErrorCode::Unsupported, "toys do not run");
    }
    [[nodiscard]] const TraceConventions& traceConventions() const override { return traits; }

    [[nodiscard]] Result<core::ModelGraph> describe(const program::Delegate& delegate,
                                                    const executor::NamedDataSource&) const override {
        ET_ASSIGN(const std::vector<ToyNode> nodes, read(delegate));
        core::ModelGraph graph;
        for (const ToyNode& node : nodes) {
            core::GraphNode out{.name = std::to_string(graph.nodes().size()), .kind = std::string(node.kind)};
            if (node.handle != 0) {
                out.debugHandles.emplace_back(node.handle);
            }
            graph.addNode(std::move(out));
        }
        return graph;
    }

    /// The toy backend runs every node in order.
    [[nodiscard]] std::vector<std::optional<std::vector<std::size_t>>> nodesOf(
        const program::Delegate& delegate, std::span<const std::string_view> operators) const override {
        auto found = Backend::nodesOf(delegate, operators);
        const auto nodes = read(delegate);
        for (std::size_t i = 0; nodes && i < operators.size() && i < nodes->size(); ++i) {
            if (toyType(operators[i]) == (*nodes)[i].kind) {
                found[i].emplace(1, i);
            }
        }
        return found;
    }

    /// Its values have reversed dimensions, and scales of one half.
    [[nodiscard]] Result<std::vector<executor::InnerValue>> innerValues(
        const program::Delegate&, std::span<const executor::DimensionOrder> arguments) const override {
        std::vector<executor::InnerValue> values;
        for (const executor::DimensionOrder& order : arguments) {
            values.push_back({.id = static_cast<std::uint32_t>(values.size()),
                              .order = {order.rbegin(), order.rend()},
                              .scale = executor::ValueScale{.scale = 0.5, .zeroPoint = 0}});
        }
        return values;
    }
};

}  // namespace

const executor::Backend& toyBackend() {
    static const ToyBackend only;
    return only;
}

}  // namespace et::test
