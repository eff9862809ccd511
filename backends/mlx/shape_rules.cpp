#include "backends/mlx/result_rules.h"

#include <algorithm>
#include <utility>

// Types of nodes that arrange, select or create elements.
namespace et::backends::mlx {
namespace {

using core::ScalarType;

Type expanded(const RuleInput& in) {
    Type type = in.of("x");
    const std::int64_t axis = type ? axisOf(in.whole("axis"), type->sizes.size() + 1) : -1;
    if (axis < 0) {
        return {};
    }
    type->sizes.insert(type->sizes.begin() + axis, 1);
    return type;
}

Type tiled(const RuleInput& in) {
    Type type = in.of("x");
    if (!type) {
        return type;
    }
    Sizes reps = in.numbers("reps");
    const std::size_t rank = std::max(reps.size(), type->sizes.size());
    reps.insert(reps.begin(), rank - reps.size(), 1);
    type->sizes.insert(type->sizes.begin(), rank - type->sizes.size(), 1);
    for (std::size_t i = 0; i < rank; ++i) {
        type->sizes[i] = product({type->sizes[i], reps[i]});
    }
    return type;
}

Type alongAxis(const RuleInput& in) {
    const Type x = in.of("x");
    const Type indices = in.of("indices");
    return x && indices ? Type({x->dtype, indices->sizes}) : Type();
}

Type taken(const RuleInput& in) {
    Type type = in.of("x");
    const std::int64_t axis = type ? axisOf(in.whole("axis"), type->sizes.size()) : -1;
    if (axis < 0) {
        return {};
    }
    const auto index = itemsIn(in.node, "index");
    type->sizes.erase(type->sizes.begin() + axis);
    if (!index.empty() && index[0].kind == Item::Kind::Tensor) {
        const Type indices = in.types.of(index[0].number);
        if (!indices) {
            return {};
        }
        type->sizes.insert(type->sizes.begin() + axis, indices->sizes.begin(), indices->sizes.end());
    }
    return type;
}

Type squeezed(const RuleInput& in) {
    Type type = in.of("x");
    if (!type) {
        return type;
    }
    const auto dims = wholesIn(in.node, "dims");
    Sizes sizes;
    for (std::size_t i = 0; i < type->sizes.size(); ++i) {
        const bool isNamed = dims.empty() || std::ranges::any_of(dims, [&](std::int64_t dim) {
                                 return axisOf(dim, type->sizes.size()) == static_cast<std::int64_t>(i);
                             });
        if (!isNamed || type->sizes[i] != 1) {
            sizes.push_back(type->sizes[i]);
        }
    }
    type->sizes = std::move(sizes);
    return type;
}

Type reshaped(const RuleInput& in) {
    const Type x = in.of("x");
    if (!x) {
        return x;
    }
    Sizes sizes;
    std::optional<std::size_t> inferred;
    for (const Item& item : itemsIn(in.node, "shape")) {
        const auto size = in.types.valueOf(item);
        if (size == -1) {
            inferred = sizes.size();
        }
        sizes.push_back(size.value_or(unknownSize));
    }
    if (inferred) {
        Sizes others = sizes;
        others[*inferred] = 1;
        const std::int64_t whole = product(x->sizes);
        const std::int64_t rest = product(others);
        sizes[*inferred] = whole < 0 || rest <= 0 ? unknownSize : whole / rest;
    }
    return TensorType{x->dtype, std::move(sizes)};
}

Type broadcastTo(const RuleInput& in) {
    const Type x = in.of("x");
    if (!x) {
        return x;
    }
    Sizes sizes = in.numbers("shape");
    for (std::size_t i = 0; i < x->sizes.size() && i < sizes.size(); ++i) {
        std::int64_t& size = sizes[sizes.size() - 1 - i];
        size = size == unknownSize ? x->sizes[x->sizes.size() - 1 - i] : size;
    }
    return TensorType{x->dtype, std::move(sizes)};
}

Type transposed(const RuleInput& in) {
    Type type = in.of("x");
    const auto order = wholesIn(in.node, "perm");
    if (!type || order.size() != type->sizes.size()) {
        return {};
    }
    const Sizes before = type->sizes;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::int64_t from = axisOf(order[i], before.size());
        type->sizes[i] = from < 0 ? unknownSize : before[static_cast<std::size_t>(from)];
    }
    return type;
}

Type strided(const RuleInput& in) {
    const Type x = in.of("x");
    return x ? Type({x->dtype, in.numbers("shape")}) : x;
}

Type padded(const RuleInput& in) {
    Type type = in.of("x");
    const Sizes widths = in.numbers("pad_width");
    for (std::size_t i = 0; type && i < type->sizes.size() && 2 * i + 1 < widths.size(); ++i) {
        std::int64_t& size = type->sizes[i];
        const bool isKnown = size >= 0 && widths[2 * i] >= 0 && widths[2 * i + 1] >= 0;
        size = isKnown ? size + widths[2 * i] + widths[2 * i + 1] : unknownSize;
    }
    return type;
}

Type selected(const RuleInput& in) {
    const Type condition = in.of("condition");
    const Type x = in.of("x");
    const Type y = in.of("y");
    return condition && x && y ? Type({promoted(x->dtype, y->dtype),
                                       broadcast(condition->sizes, broadcast(x->sizes, y->sizes))})
                               : Type();
}

Type gathered(const RuleInput& in) {
    const Type x = in.of("x");
    Sizes sizes;
    for (const TensorNumber tensor : tensorsIn(in.node, "indices")) {
        const Type indices = in.types.of(tensor);
        if (!indices) {
            return {};
        }
        sizes = broadcast(sizes, indices->sizes);
    }
    const auto slices = wholesIn(in.node, "slice_sizes");
    sizes.insert(sizes.end(), slices.begin(), slices.end());
    return x ? Type({x->dtype, std::move(sizes)}) : x;
}

std::int64_t sliceLength(std::int64_t size, std::int64_t start, std::int64_t stop, std::int64_t step) {
    if (step == 0) {
        return unknownSize;
    }
    const auto fromEnd = [&](std::int64_t at) { return at < 0 ? at + size : at; };
    const std::int64_t low = step > 0 ? 0 : -1;
    const std::int64_t high = step > 0 ? size : size - 1;
    const std::int64_t first = std::clamp(fromEnd(start), low, std::max(low, high));
    const std::int64_t last = std::clamp(fromEnd(stop), low, std::max(low, high));
    const std::int64_t span = step > 0 ? last - first : first - last;
    const std::int64_t width = step > 0 ? step : -step;
    return span <= 0 ? 0 : (span + width - 1) / width;
}

Type sliced(const RuleInput& in) {
    Type type = in.of("x");
    const auto number = [&](std::string_view field) {
        return in.types.valueOf(itemsIn(in.node, field).at(0));
    };
    const auto named = number("axis");
    const std::int64_t axis = type && named ? axisOf(*named, type->sizes.size()) : -1;
    if (axis < 0) {
        return {};
    }
    std::int64_t& size = type->sizes[static_cast<std::size_t>(axis)];
    const auto start = number("start");
    const auto stop = number("stop");
    size = size >= 0 && start && stop ? sliceLength(size, *start, *stop, in.whole("step")) : unknownSize;
    return type;
}

Type converted(const RuleInput& in) {
    return withDtype(in.of("x"), static_cast<ScalarType>(in.whole("scalar_type")));
}

/// Promotes the dtypes of a list; the first tensor's sizes.
Type firstOfList(const RuleInput& in) {
    Type type;
    for (const TensorNumber tensor : tensorsIn(in.node, "tensors")) {
        const Type each = in.types.of(tensor);
        if (!each) {
            return {};
        }
        type = type ? withDtype(type, promoted(type->dtype, each->dtype)) : each;
    }
    return type;
}

Type concatenated(const RuleInput& in) {
    Type type = firstOfList(in);
    const std::int64_t axis = type ? axisOf(in.whole("axis"), type->sizes.size()) : -1;
    if (axis < 0) {
        return {};
    }
    const auto at = static_cast<std::size_t>(axis);
    std::int64_t whole = 0;
    for (const TensorNumber tensor : tensorsIn(in.node, "tensors")) {
        const Type each = in.types.of(tensor);
        const bool isKnown = whole >= 0 && at < each->sizes.size() && each->sizes[at] >= 0;
        whole = isKnown ? whole + each->sizes[at] : unknownSize;
    }
    type->sizes[at] = whole;
    return type;
}

Type stacked(const RuleInput& in) {
    Type type = firstOfList(in);
    const std::int64_t axis = type ? axisOf(in.whole("axis"), type->sizes.size() + 1) : -1;
    if (axis < 0) {
        return {};
    }
    type->sizes.insert(type->sizes.begin() + axis,
                       static_cast<std::int64_t>(tensorsIn(in.node, "tensors").size()));
    return type;
}

Type filled(const RuleInput& in) {
    return TensorType{static_cast<ScalarType>(in.whole("scalar_type")), in.numbers("shape")};
}

Type filledLike(const RuleInput& in) {
    const auto* code = std::get_if<Item>(in.node.find("scalar_type"));
    return code == nullptr ? in.of("x") : withDtype(in.of("x"), static_cast<ScalarType>(code->whole));
}

Type ranged(const RuleInput& in) {
    const auto* code = std::get_if<Item>(in.node.find("scalar_type"));
    const Sizes ends{in.numbers("start").at(0), in.numbers("stop").at(0), in.numbers("step").at(0)};
    const bool isKnown = std::ranges::all_of(ends, [](std::int64_t end) { return end >= 0; }) && ends[2] > 0;
    const std::int64_t count =
        isKnown ? std::max<std::int64_t>(0, (ends[1] - ends[0] + ends[2] - 1) / ends[2]) : unknownSize;
    return TensorType{code == nullptr ? ScalarType::Int : static_cast<ScalarType>(code->whole), {count}};
}

Type triangular(const RuleInput& in) {
    return TensorType{static_cast<ScalarType>(in.whole("scalar_type")),
                      {in.numbers("n").at(0), in.numbers("m").at(0)}};
}

Type randomBits(const RuleInput& in) {
    return TensorType{ScalarType::UInt32, in.numbers("shape")};
}

Type clipped(const RuleInput& in) {
    Type type = in.of("x");
    for (const std::string_view bound : {"a_min", "a_max"}) {
        if (const Type other = in.of(bound); type && other) {
            type = TensorType{promoted(type->dtype, other->dtype), broadcast(type->sizes, other->sizes)};
        }
    }
    return type;
}

Type repeated(const RuleInput& in) {
    Type type = in.of("x");
    const std::int64_t axis = type ? axisOf(in.whole("axis"), type->sizes.size()) : -1;
    if (axis < 0) {
        return {};
    }
    std::int64_t& size = type->sizes[static_cast<std::size_t>(axis)];
    size = product({size, in.numbers("repeats").at(0)});
    return type;
}

}  // namespace

/// Sizes of the parts of a split tensor.
std::vector<Type> splitTypes(const RuleInput& in) {
    const auto outs = tensorsIn(in.node, "outs");
    const Type x = in.of("x");
    std::vector<Type> parts(outs.size(), x);
    const std::int64_t axis = x ? axisOf(in.whole("axis"), x->sizes.size()) : -1;
    if (axis < 0) {
        return std::vector<Type>(outs.size());
    }
    const auto at = static_cast<std::size_t>(axis);
    const Sizes sizes = in.numbers("sizes");
    std::int64_t rest = x->sizes[at];
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::int64_t size = sizes.size() == 1 ? sizes[0] : i < sizes.size() ? sizes[i] : unknownSize;
        parts[i]->sizes[at] = sizes.size() == 1 && rest >= 0 ? std::min(size, rest) : size;
        rest = rest >= 0 && size >= 0 ? rest - size : rest;
    }
    return parts;
}

/// Outputs of a Metal kernel state their types.
std::vector<Type> kernelTypes(const RuleInput& in) {
    const auto outputs = tensorsIn(in.node, "outputs");
    const Sizes flat = in.numbers("output_shapes_flat");
    const auto lengths = wholesIn(in.node, "output_shape_lengths");
    const auto dtypes = wholesIn(in.node, "output_dtypes");
    std::vector<Type> types(outputs.size());
    std::size_t at = 0;
    for (std::size_t i = 0; i < outputs.size() && i < lengths.size() && i < dtypes.size(); ++i) {
        if (lengths[i] < 0 || std::cmp_greater(lengths[i], flat.size() - at)) {
            break;
        }
        const auto count = static_cast<std::size_t>(lengths[i]);
        types[i] = TensorType{static_cast<ScalarType>(dtypes[i]),
                              Sizes(flat.begin() + static_cast<std::ptrdiff_t>(at),
                                    flat.begin() + static_cast<std::ptrdiff_t>(at + count))};
        at += count;
    }
    return types;
}

void addShapeRules(Rules& to) {
    to.insert({{"ExpandDimsNode", expanded},
               {"TileNode", tiled},
               {"TakeAlongAxisNode", alongAxis},
               {"TakeNode", taken},
               {"ARangeNode", ranged},
               {"SqueezeNode", squeezed},
               {"BroadcastToNode", broadcastTo},
               {"PadNode", padded},
               {"WhereNode", selected},
               {"ReshapeNode", reshaped},
               {"TransposeNode", transposed},
               {"AsStridedNode", strided},
               {"GatherNode", gathered},
               {"SliceNode", sliced},
               {"AsTypeNode", converted},
               {"ConcatenateNode", concatenated},
               {"StackNode", stacked},
               {"FullNode", filled},
               {"FullLikeNode", filledLike},
               {"TriNode", triangular},
               {"ClipNode", clipped},
               {"RepeatNode", repeated},
               {"RandomBitsNode", randomBits}});
}

}  // namespace et::backends::mlx
