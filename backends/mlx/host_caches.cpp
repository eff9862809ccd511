#include "backends/mlx/host_caches.h"

#include "backends/mlx/read_payload.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace et::backends::mlx {
namespace {

using Dims = std::vector<std::int64_t>;

constexpr std::int64_t unknown = -1;
constexpr std::int64_t mostElements = std::int64_t{1} << 40;

/// What is known of a tensor: upper bounds of its sizes.
struct TensorType {
    core::ScalarType dtype = core::ScalarType::Float;
    Dims dims;
};
using MaybeType = std::optional<TensorType>;

std::optional<std::size_t> axisOf(std::int64_t axis, std::size_t rank) {
    const auto count = static_cast<std::int64_t>(rank);
    const std::int64_t at = axis < 0 ? axis + count : axis;
    return at < 0 || at >= count ? std::nullopt : std::optional(static_cast<std::size_t>(at));
}

/// The product, or `unknown`.
std::int64_t productOf(const Dims& dims) {
    std::int64_t product = 1;
    for (const std::int64_t dim : dims) {
        if (dim < 0 || (dim > 0 && product > mostElements / dim)) {
            return unknown;
        }
        product *= dim;
    }
    return product;
}

/// Follows the shapes of tensors from node to node.
class ShapeWalk {
  public:
    explicit ShapeWalk(const Payload& of) : payload(of) {}

    std::vector<core::KvCacheLayer> caches() {
        run(payload.mainChain);
        return std::move(layers);
    }

  private:
    void run(std::uint32_t chain) {
        if (chain >= payload.chains.size() || !visited.insert(chain).second) {
            return;
        }
        for (const Node& node : payload.chains[chain]) {
            for (const std::uint32_t inner : chainsOf(node)) {
                run(inner);
            }
            visit(node);
        }
    }

    void visit(const Node& node) {
        if (node.kind->name == "UpdateAndAttendNode") {
            addCache(node);
        }
        if (node.kind->name == "SymSizeNode") {
            noteSize(node);
            return;
        }
        if (node.kind->name == "SplitNode") {
            split(node);
            return;
        }
        MaybeType type = resultOf(node);
        for (std::size_t i = 0; i < node.fields.size(); ++i) {
            if (accessOf(node.kind->fields[i].kind).writes) {
                forItems(node.fields[i], [&](const Item& item) { set(item, type); });
            }
        }
    }

    void set(const Item& item, MaybeType type) {
        if (item.kind == Item::Kind::Tensor) {
            types.insert_or_assign(item.number, std::move(type));
        }
    }

    [[nodiscard]] MaybeType typeOf(TensorNumber tensor) const {
        if (const auto known = types.find(tensor); known != types.end()) {
            return known->second;
        }
        const TensorMeta* meta = payload.meta(tensor);
        if (meta == nullptr || !core::scalarType(meta->dtype)) {
            return std::nullopt;
        }
        TensorType type{.dtype = static_cast<core::ScalarType>(meta->dtype), .dims = {}};
        for (const Dimension& dim : meta->sizes) {
            type.dims.push_back(dim.size >= 0 ? dim.size : dim.maximum);
        }
        return type;
    }

    [[nodiscard]] static const Item* itemOf(const Node& node, std::string_view field) {
        const Field* found = node.find(field);
        return found == nullptr ? nullptr : std::get_if<Item>(found);
    }
    [[nodiscard]] MaybeType argument(const Node& node, std::string_view field) const {
        const Item* item = itemOf(node, field);
        return item == nullptr || item->kind != Item::Kind::Tensor ? std::nullopt : typeOf(item->number);
    }
    [[nodiscard]] static std::int64_t integer(const Node& node, std::string_view field,
                                              std::int64_t otherwise) {
        const Item* item = itemOf(node, field);
        return item == nullptr || item->kind != Item::Kind::Int ? otherwise : item->whole;
    }
    /// Integers of a list; a run-time value counts with its upper bound.
    [[nodiscard]] std::vector<Item> items(const Node& node, std::string_view field) const {
        const Field* found = node.find(field);
        const auto* list = found == nullptr ? nullptr : std::get_if<std::vector<Item>>(found);
        return list == nullptr ? std::vector<Item>() : *list;
    }
    [[nodiscard]] std::int64_t boundOf(const Item& item) const {
        if (item.kind == Item::Kind::Int) {
            return item.whole;
        }
        const auto known = bounds.find(item.number);
        return item.kind != Item::Kind::Value || known == bounds.end() ? unknown : known->second;
    }

    void noteSize(const Node& node) {
        const MaybeType type = argument(node, "a");
        const Item* out = itemOf(node, "out");
        const auto axis = type ? axisOf(integer(node, "dim", 0), type->dims.size()) : std::nullopt;
        if (out != nullptr) {
            bounds.insert_or_assign(out->number, axis ? type->dims[*axis] : unknown);
        }
    }

    void split(const Node& node) {
        const MaybeType whole = argument(node, "x");
        const std::vector<Item> sizes = items(node, "sizes");
        const auto axis = whole ? axisOf(integer(node, "axis", 0), whole->dims.size()) : std::nullopt;
        std::size_t index = 0;
        for (const Item& out : items(node, "outs")) {
            MaybeType type = axis ? whole : std::nullopt;
            if (type) {
                type->dims[*axis] = index < sizes.size() ? boundOf(sizes[index]) : unknown;
            }
            set(out, std::move(type));
            ++index;
        }
    }

    [[nodiscard]] MaybeType resultOf(const Node& node) const {
        const std::string_view kind = node.kind->name;
        if (kind == "ReshapeNode") {
            return reshaped(node);
        }
        if (kind == "TransposeNode") {
            return transposed(node);
        }
        if (kind == "AddmmNode" || kind == "QuantizedMatmulNode") {
            return product(node);
        }
        if (kind == "SliceNode") {
            return sliced(node);
        }
        if (kind == "ConcatenateNode") {
            return concatenated(node);
        }
        if (kind == "TakeNode") {
            return taken(node);
        }
        if (kind == "ExpandDimsNode" || kind == "SqueezeNode") {
            return withOtherRank(node);
        }
        if (node.find("a") != nullptr && node.find("b") != nullptr && node.fields.size() == 3) {
            return broadcast(argument(node, "a"), argument(node, "b"));
        }
        constexpr std::array<std::string_view, 4> sameShape{"RMSNormNode", "LayerNormNode", "RopeNode",
                                                            "AsTypeNode"};
        if (node.fields.size() != 2 && !std::ranges::contains(sameShape, kind)) {
            return std::nullopt;
        }
        MaybeType type = argument(node, "x");
        const Item* dtype = itemOf(node, "scalar_type");
        if (type && dtype != nullptr && core::scalarType(static_cast<std::int8_t>(dtype->whole))) {
            type->dtype = static_cast<core::ScalarType>(dtype->whole);
        }
        return type;
    }

    [[nodiscard]] MaybeType reshaped(const Node& node) const {
        MaybeType type = argument(node, "x");
        TensorType result;
        std::optional<std::size_t> rest;
        for (const Item& item : items(node, "shape")) {
            if (item.kind == Item::Kind::Int && item.whole == -1) {
                rest = result.dims.size();
                result.dims.push_back(1);
            } else {
                result.dims.push_back(boundOf(item));
            }
        }
        result.dtype = type ? type->dtype : result.dtype;
        if (rest) {
            const std::int64_t all = type ? productOf(type->dims) : unknown;
            const std::int64_t others = productOf(result.dims);
            result.dims[*rest] = all >= 0 && others > 0 ? all / others : unknown;
        }
        return result;
    }

    [[nodiscard]] MaybeType transposed(const Node& node) const {
        MaybeType type = argument(node, "x");
        const std::vector<Item> order = items(node, "perm");
        if (!type || order.size() != type->dims.size()) {
            return std::nullopt;
        }
        Dims dims;
        for (const Item& item : order) {
            const auto from = axisOf(item.whole, order.size());
            dims.push_back(from ? type->dims[*from] : unknown);
        }
        type->dims = std::move(dims);
        return type;
    }

    /// The first operand with another last size.
    [[nodiscard]] MaybeType product(const Node& node) const {
        MaybeType left = argument(node, node.find("mat1") != nullptr ? "mat1" : "x");
        const MaybeType right = argument(node, node.find("mat2") != nullptr ? "mat2" : "w");
        if (!left || !right || left->dims.empty() || right->dims.empty()) {
            return std::nullopt;
        }
        const bool isTurned = node.find("w") != nullptr && integer(node, "transpose", 1) != 0;
        left->dims.back() = isTurned ? right->dims.front() : right->dims.back();
        return left;
    }

    [[nodiscard]] MaybeType sliced(const Node& node) const {
        MaybeType type = argument(node, "x");
        const Item* start = itemOf(node, "start");
        const Item* stop = itemOf(node, "stop");
        const auto axis = type ? axisOf(integer(node, "axis", 0), type->dims.size()) : std::nullopt;
        if (!axis || start == nullptr || stop == nullptr) {
            return std::nullopt;
        }
        std::int64_t& size = type->dims[*axis];
        const bool isKnown = start->kind == Item::Kind::Int && stop->kind == Item::Kind::Int && size >= 0 &&
                             integer(node, "step", 1) == 1;
        if (isKnown) {
            const auto inside = [&](std::int64_t at) {
                return std::clamp(at < 0 ? at + size : at, std::int64_t{0}, size);
            };
            size = std::max(std::int64_t{0}, inside(stop->whole) - inside(start->whole));
        }
        return type;
    }

    [[nodiscard]] MaybeType concatenated(const Node& node) const {
        MaybeType result;
        std::optional<std::size_t> axis;
        for (const Item& item : items(node, "tensors")) {
            const MaybeType part = typeOf(item.number);
            if (!part || (result && part->dims.size() != result->dims.size())) {
                return std::nullopt;
            }
            if (!result) {
                result = part;
                axis = axisOf(integer(node, "axis", 0), part->dims.size());
                continue;
            }
            if (!axis) {
                return std::nullopt;
            }
            const std::int64_t more = part->dims[*axis];
            std::int64_t& size = result->dims[*axis];
            size = size < 0 || more < 0 || size > mostElements ? unknown : size + more;
        }
        return result;
    }

    /// Rows of a table: the sizes of the index replace that of the axis.
    [[nodiscard]] MaybeType taken(const Node& node) const {
        MaybeType type = argument(node, "x");
        const auto axis = type ? axisOf(integer(node, "axis", 0), type->dims.size()) : std::nullopt;
        const Item* index = itemOf(node, "index");
        if (!axis || index == nullptr) {
            return std::nullopt;
        }
        const auto at = type->dims.begin() + static_cast<std::ptrdiff_t>(*axis);
        if (index->kind != Item::Kind::Tensor) {
            type->dims.erase(at);
            return type;
        }
        const MaybeType rows = typeOf(index->number);
        if (!rows) {
            return std::nullopt;
        }
        type->dims.insert(type->dims.erase(at), rows->dims.begin(), rows->dims.end());
        return type;
    }

    [[nodiscard]] MaybeType withOtherRank(const Node& node) const {
        MaybeType type = argument(node, "x");
        if (!type) {
            return std::nullopt;
        }
        if (node.kind->name == "ExpandDimsNode") {
            const auto axis = axisOf(integer(node, "axis", 0), type->dims.size() + 1);
            if (axis) {
                type->dims.insert(type->dims.begin() + static_cast<std::ptrdiff_t>(*axis), 1);
            }
            return axis ? type : std::nullopt;
        }
        std::set<std::size_t, std::greater<>> dropped;
        for (const Item& item : items(node, "dims")) {
            if (const auto axis = axisOf(item.whole, type->dims.size())) {
                dropped.insert(*axis);
            }
        }
        for (const std::size_t axis : dropped) {
            type->dims.erase(type->dims.begin() + static_cast<std::ptrdiff_t>(axis));
        }
        return type;
    }

    [[nodiscard]] static MaybeType broadcast(MaybeType left, MaybeType right) {
        if (!left || !right) {
            return std::nullopt;
        }
        if (left->dims.size() < right->dims.size()) {
            std::swap(left->dims, right->dims);
        }
        const std::size_t more = left->dims.size() - right->dims.size();
        for (std::size_t i = 0; i < right->dims.size(); ++i) {
            std::int64_t& size = left->dims[more + i];
            size = size == 1 || size == unknown ? right->dims[i] : size;
        }
        return left;
    }

    void addCache(const Node& node) {
        const MaybeType key = argument(node, "k");
        const MaybeType value = argument(node, "v");
        const MaybeType position = argument(node, "position");
        core::KvCacheLayer layer{.layer = integer(node, "layer_id", 0)};
        const auto sizeOf = [](const MaybeType& type, std::size_t at) {
            return type && type->dims.size() == 4 && type->dims[at] > 0 ? type->dims[at] : 0;
        };
        layer.dtype = key ? key->dtype : value ? value->dtype : layer.dtype;
        layer.batch = std::max({sizeOf(key, 0), sizeOf(value, 0), std::int64_t{1}});
        layer.heads = std::max(sizeOf(key, 1), sizeOf(value, 1));
        layer.keySize = sizeOf(key, 3) == 0 ? sizeOf(value, 3) : sizeOf(key, 3);
        layer.valueSize = sizeOf(value, 3) == 0 ? sizeOf(key, 3) : sizeOf(value, 3);
        layer.maxStep = std::max(sizeOf(key, 2), sizeOf(value, 2));
        if (layer.maxStep == 0 && position && !position->dims.empty() && position->dims[0] > 0) {
            layer.maxStep = position->dims[0];
        }
        layers.push_back(layer);
    }

    const Payload& payload;
    std::map<TensorNumber, MaybeType> types;  ///< written by nodes so far
    std::map<ValueNumber, std::int64_t> bounds;
    std::set<std::uint32_t> visited;
    std::vector<core::KvCacheLayer> layers;
};

}  // namespace

std::vector<core::KvCacheLayer> hostCaches(const Payload& payload) {
    return ShapeWalk(payload).caches();
}

core::Result<std::vector<core::KvCacheLayer>> hostCaches(core::Bytes bytes) {
    ET_ASSIGN(const Payload payload, readPayload(bytes));
    return hostCaches(payload);
}

}  // namespace et::backends::mlx
