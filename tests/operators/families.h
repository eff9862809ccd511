#pragma once

#include "tests/operators/case.h"

// One table of rules per family, each in its own file (rules_unary.cpp etc.).
namespace et::test::operators {

[[nodiscard]] std::span<const Rule> unaryRules();
[[nodiscard]] std::span<const Rule> binaryRules();
[[nodiscard]] std::span<const Rule> denseRules();
[[nodiscard]] std::span<const Rule> poolingRules();
[[nodiscard]] std::span<const Rule> quantizedRules();
[[nodiscard]] std::span<const Rule> layoutRules();
[[nodiscard]] std::span<const Rule> indexingRules();
[[nodiscard]] std::span<const Rule> creationRules();
[[nodiscard]] std::span<const Rule> viewRules();
[[nodiscard]] std::span<const Rule> copyRules();
[[nodiscard]] std::span<const Rule> scatterRules();
[[nodiscard]] std::span<const Rule> divisionRules();
[[nodiscard]] std::span<const Rule> compareRules();
[[nodiscard]] std::span<const Rule> selectionRules();
[[nodiscard]] std::span<const Rule> reductionRules();
[[nodiscard]] std::span<const Rule> momentsRules();
[[nodiscard]] std::span<const Rule> searchRules();
[[nodiscard]] std::span<const Rule> normalizationRules();
[[nodiscard]] std::span<const Rule> unsignedRules();
[[nodiscard]] std::span<const Rule> complexRules();

}  // namespace et::test::operators
