#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/core/scalar_type.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

// Arguments of quantizing nodes.
namespace et::backends::xnnpack {

inline etrecord::Argument tensorArgument(std::string name, std::string value) {
    return {
        .name = std::move(name), .kind = "as_tensor", .value = etrecord::ValueRef{.name = std::move(value)}};
}
inline etrecord::Argument integer(std::string name, std::int64_t number) {
    return {.name = std::move(name), .kind = "as_int", .value = number};
}
inline etrecord::Argument integers(std::string name, std::span<const std::int64_t> numbers) {
    std::vector<etrecord::SymInt> list;
    for (const std::int64_t number : numbers) {
        list.push_back({.value = number, .expression = {}});
    }
    return {.name = std::move(name), .kind = "as_ints", .value = std::move(list)};
}
inline etrecord::Argument typeArgument(std::string name, core::ScalarType type) {
    return {
        .name = std::move(name), .kind = "as_scalar_type", .value = std::int64_t{std::to_underlying(type)}};
}
inline etrecord::Argument int8Type(std::string name) {
    return typeArgument(std::move(name), core::ScalarType::Char);
}

}  // namespace et::backends::xnnpack
