#include "backends/lowering/emitted_values.h"

#include "backends/lowering/permute_elements.h"
#include "backends/lowering/tensor_specs.h"
#include "backends/reference/node_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <memory>
#include <utility>

namespace et::backends::lowering {

using builder::TensorSpec;
using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::Argument;
using etrecord::InputSpec;
using etrecord::Node;
using etrecord::SymInt;
using etrecord::ValueRef;
using program::ValueId;
using reference::ReferenceValue;

namespace {

using OptionalRefs = std::vector<std::optional<ValueRef>>;

/// Memory formats of the runtime, by torch.export's number: preserve, contiguous, channels last.
constexpr std::array<std::int64_t, 5> memoryFormats{0, 0, 2, 3, 1};

/// An alternative of etrecord::Argument::Value that is an argument of a call as it is.
template <class T>
concept PlainArgument = std::same_as<T, std::int64_t> || std::same_as<T, double> || std::same_as<T, bool> ||
                        std::same_as<T, std::vector<double>> || std::same_as<T, std::vector<bool>>;

/// A number where the kernel requires a tensor.
Result<builder::Argument> wrapped(builder::MethodBuilder& into, const Argument& number) {
    if (const auto* whole = std::get_if<std::int64_t>(&number.value)) {
        return into.constant({.dtype = core::ScalarType::Long, .sizes = {}}, std::span(whole, 1));
    }
    if (const auto* real = std::get_if<double>(&number.value)) {
        const auto single = static_cast<float>(*real);
        return into.constant({.dtype = core::ScalarType::Float, .sizes = {}}, std::span(&single, 1));
    }
    return fail(ErrorCode::Unsupported, "expected a tensor, got a number that is known only at run time");
}

/// A default value of the operator's schema.
builder::Argument plain(const ReferenceValue& from) {
    if (from.as<std::monostate>() != nullptr) {
        return nullptr;
    }
    if (const auto* whole = from.as<std::int64_t>()) {
        return *whole;
    }
    if (const auto* real = from.as<double>()) {
        return *real;
    }
    if (const auto* truth = from.as<bool>()) {
        return *truth;
    }
    if (const auto* text = from.as<std::string>()) {
        return std::string_view(*text);
    }
    builder::Ints numbers;
    if (const auto* items = from.as<ReferenceValue::List>()) {
        for (const ReferenceValue& item : *items) {
            const auto* number = item.as<std::int64_t>();
            numbers.push_back(number == nullptr ? 0 : *number);
        }
    }
    return numbers;
}

}  // namespace

Result<ValueId> EmittedValues::value(std::string_view name) {
    if (const auto known = values.find(name); known != values.end()) {
        return known->second;
    }
    const InputSpec* spec = method.input(name);
    if (spec == nullptr) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("no input or earlier node produces the value \"{}\"", core::printable(name)));
    }
    ET_ASSIGN(TensorSpec tensor, specOf(method.graph(), name));
    tensor.requiresGrad = false;
    ET_ASSIGN(const auto elements, method.storedTensor(name));
    core::Bytes bytes = elements.view.rawBytes();
    std::shared_ptr<const void> owner = elements.owner;
    if (!isRowMajor(tensor.dimOrder)) {
        auto moved = std::make_shared<const std::vector<std::byte>>(
            permuteElements(bytes, elements.view.elementSize(), elements.view.sizes(), tensor.dimOrder));
        bytes = *moved;
        owner = std::move(moved);
    }
    const auto shared = method.sharedOffset(name);
    const ValueId id = method.isMutated(name) || shared
                           ? into.state(tensor, bytes, std::move(owner), spec->target)
                           : into.constant(tensor, bytes, std::move(owner));
    if (shared) {
        constexpr program::ArenaId sharedArena(2);  // loaders share it if methods give it one size
        into.place(id, {.arena = sharedArena, .offset = *shared});
        into.setArena(sharedArena, method.sharedBytes());
    }
    values[name] = id;
    return id;
}

Result<std::vector<ValueId>> EmittedValues::list(const Argument& from) {
    const auto* items = std::get_if<OptionalRefs>(&from.value);
    if (items == nullptr || !std::ranges::all_of(*items, [](const auto& item) { return item.has_value(); })) {
        return fail(ErrorCode::InvalidArgument, "expected a list of tensors");
    }
    std::vector<ValueId> ids;
    for (const auto& item : *items) {
        ET_ASSIGN(const ValueId id, value(item->name));
        ids.push_back(id);
    }
    return ids;
}

Result<ValueId> EmittedValues::result(std::string_view name, bool grows) {
    ET_ASSIGN(TensorSpec spec, specOf(method.graph(), name));
    if (grows) {
        spec.dynamism = program::ShapeDynamism::Bounded;
    }
    const ValueId id = into.intermediate(spec);
    values[name] = id;
    return id;
}

Result<std::vector<ValueId>> EmittedValues::results(const Node& node, std::size_t growing) {
    std::vector<ValueId> ids;
    for (const Argument& output : node.outputs) {
        std::vector<std::string_view> made;
        reference::forNames(output, [&](const std::string& name) { made.push_back(name); });
        for (const std::string_view name : made) {
            ET_ASSIGN(const ValueId id, result(name, ids.size() >= growing));
            ids.push_back(id);
        }
    }
    return ids;
}

Result<ValueId> EmittedValues::writable(const Node& node, std::string_view base) {
    ET_ASSIGN(const ValueId from, value(base));
    const bool alone = method.users(base).size() == 1 && !method.isOutput(base) &&
                       (method.isMutated(base) || method.producer(base));
    if (alone) {
        return from;
    }
    ET_ASSIGN(const builder::TensorSpec spec,
              specOf(method.graph(), base).transform_error([&](core::Error error) {
                  error.message = fmt::format("{}: {}", core::printable(node.name), error.message);
                  return error;
              }));
    const ValueId copy = into.intermediate(spec);
    into.call("aten::clone.out", {from, nullptr}, {copy});
    return copy;
}

Result<builder::Argument> EmittedValues::argument(const Argument& from, bool optionalItems) {
    if (from.kind == "as_memory_format") {
        const auto* format = std::get_if<std::int64_t>(&from.value);
        const bool known = format != nullptr && *format >= 0 && std::cmp_less(*format, memoryFormats.size());
        return known ? Result<builder::Argument>(memoryFormats[static_cast<std::size_t>(*format)])
                     : fail(ErrorCode::Unsupported, "an unknown memory format");
    }
    if (const auto* items = std::get_if<OptionalRefs>(&from.value)) {
        return tensors(*items, optionalItems || from.kind == "as_optional_tensors");
    }
    return std::visit(
        [&]<class T>(const T& held) -> Result<builder::Argument> {
            if constexpr (PlainArgument<T>) {
                return held;
            } else if constexpr (std::same_as<T, std::monostate>) {
                return nullptr;
            } else if constexpr (std::same_as<T, std::string>) {
                return std::string_view(held);
            } else if constexpr (std::same_as<T, ValueRef>) {
                ET_ASSIGN(const ValueId id, value(held.name));
                return id;
            } else if constexpr (std::same_as<T, std::vector<SymInt>>) {
                return integers(held);
            } else {
                return fail(ErrorCode::Unsupported,
                            "an argument that no kernel accepts (a graph, strings, nested lists)");
            }
        },
        from.value);
}

Result<builder::Argument> EmittedValues::tensors(std::span<const std::optional<ValueRef>> items,
                                                 bool optionalItems) {
    std::vector<std::optional<ValueId>> ids;
    for (const auto& item : items) {
        std::optional<ValueId> id;
        if (item) {
            ET_ASSIGN(id, value(item->name));
        }
        ids.push_back(id);
    }
    if (optionalItems) {
        return ids;
    }
    std::vector<ValueId> all;
    for (const auto& id : ids) {
        if (!id) {
            return fail(ErrorCode::Unsupported, "an element of a list of tensors is missing");
        }
        all.push_back(*id);
    }
    return all;
}

Result<builder::Argument> EmittedValues::integers(std::span<const SymInt> items) {
    std::vector<ValueId> ids;
    for (const SymInt& item : items) {
        if (item.expression.empty()) {
            ids.push_back(into.integer(item.value));
            continue;
        }
        ET_ASSIGN(const ValueId id, value(item.expression));
        ids.push_back(id);
    }
    return into.integersOf(std::move(ids));
}

Result<builder::Arguments> EmittedValues::arguments(const KernelChoice& choice) {
    builder::Arguments made;
    for (std::size_t i = 0; i < choice.arguments.size(); ++i) {
        if (const auto* given = std::get_if<const Argument*>(&choice.arguments[i])) {
            ET_ASSIGN(auto one, i == choice.wrapped ? wrapped(into, **given)
                                                    : argument(**given, i == choice.optionalItems));
            made.push_back(std::move(one));
        } else {
            made.push_back(plain(std::get<ReferenceValue>(choice.arguments[i])));
        }
    }
    return made;
}

}  // namespace et::backends::lowering
