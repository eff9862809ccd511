#include "runtime/program/constant_method.h"

#include "runtime/core/element_types.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace et::program {
namespace {

/// Constants are short lists; this bounds hostile files.
constexpr std::size_t maxItems = 4096;

void addElements(const TensorInfo& tensor, std::vector<ProgramConstant::Item>& items) {
    const auto add = [&]<class T>(std::type_identity<T>) {
        const std::size_t count = std::min(tensor.data.size() / sizeof(T), maxItems - items.size());
        for (std::size_t i = 0; i < count; ++i) {
            T element{};
            std::memcpy(&element, tensor.data.data() + (i * sizeof(T)), sizeof(T));
            if constexpr (std::is_integral_v<T>) {
                items.emplace_back(static_cast<std::int64_t>(element));
            } else {
                items.emplace_back(static_cast<double>(element));
            }
        }
    };
    const auto type = static_cast<core::ScalarType>(tensor.scalarType);
    if (type == core::ScalarType::Long) {
        add(std::type_identity<std::int64_t>{});
    } else if (type == core::ScalarType::Int) {
        add(std::type_identity<std::int32_t>{});
    } else if (type == core::ScalarType::Float) {
        add(std::type_identity<float>{});
    }
}

void addItems(const Method& method, const Value& value, std::vector<ProgramConstant::Item>& items) {
    if (items.size() >= maxItems) {
        return;
    }
    if (const auto* number = value.as<std::int64_t>()) {
        items.emplace_back(*number);
    } else if (const auto* truth = value.as<bool>()) {
        items.emplace_back(*truth);
    } else if (const auto* real = value.as<double>()) {
        items.emplace_back(*real);
    } else if (const auto* text = value.as<std::string_view>()) {
        items.emplace_back(std::string(*text));
    } else if (const auto* list = value.as<IntList>()) {
        for (const ValueId id : list->items) {
            if (const auto* item = method.value(id).as<std::int64_t>(); item && items.size() < maxItems) {
                items.emplace_back(*item);
            }
        }
    } else if (const auto* tensor = value.as<TensorInfo>()) {
        addElements(*tensor, items);
    }
}

std::optional<std::int64_t> numberOf(const ProgramConstant::Item& item) {
    if (const auto* number = std::get_if<std::int64_t>(&item)) {
        return *number;
    }
    if (const auto* truth = std::get_if<bool>(&item)) {
        return *truth ? 1 : 0;
    }
    if (const auto* real = std::get_if<double>(&item);
        real != nullptr && std::abs(*real) < 1e15 && std::trunc(*real) == *real) {
        return static_cast<std::int64_t>(*real);
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> ProgramConstant::number() const {
    return items.size() == 1 ? numberOf(items.front()) : std::nullopt;
}

bool isConstantMethod(const Method& method) {
    return method.inputs.empty() && !method.outputs.empty() &&
           std::ranges::all_of(method.chains, [](const Chain& chain) { return chain.instructions.empty(); });
}

std::vector<ProgramConstant> programConstants(const Program& program) {
    std::vector<ProgramConstant> constants;
    for (const Method& method : program.methods) {
        if (isConstantMethod(method)) {
            ProgramConstant constant{.name = std::string(method.name), .items = {}};
            for (const ValueId id : method.outputs) {
                addItems(method, method.value(id), constant.items);
            }
            constants.push_back(std::move(constant));
        }
    }
    return constants;
}

std::vector<std::int64_t> ProgramConstant::numbers() const {
    std::vector<std::int64_t> all;
    for (const Item& item : items) {
        if (const auto one = numberOf(item)) {
            all.push_back(*one);
        }
    }
    return all;
}

}  // namespace et::program
