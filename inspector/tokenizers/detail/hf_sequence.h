#pragma once

#include "inspector/tokenizers/detail/hf_steps.h"
#include "inspector/tokenizers/detail/json_fields.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace et::inspector::tokenizers::detail {

/// Builds one type of step: "ByteLevel".
template <class S>
struct StepMaker {
    std::string_view type;
    core::Result<std::unique_ptr<S>> (*make)(const JsonField&);
};

/// Applies steps one after another.
template <class S>
class StepSequence final : public S {
  public:
    explicit StepSequence(std::vector<std::unique_ptr<S>> of) : steps(std::move(of)) {}

    [[nodiscard]] core::Result<> apply(typename S::Input& input) const override {
        for (const auto& step : steps) {
            ET_TRY(step->apply(input));
        }
        return {};
    }

  private:
    std::vector<std::unique_ptr<S>> steps;
};

/// Builds a step of one of the types in `makers`, or a "Sequence" of the steps listed in `member`.
template <class S>
core::Result<std::unique_ptr<S>> makeStep(const JsonField& json, std::string_view member,
                                          std::span<const StepMaker<S>> makers, int depth = 0) {
    ET_ASSIGN(const JsonField typeField, json.member("type"));
    ET_ASSIGN(const auto type, typeField.text());
    if (depth > maxStepDepth) {
        return core::fail(core::ErrorCode::Limit, "steps are nested too deeply", {.field = json.path()});
    }
    if (type != "Sequence") {
        const auto known = std::ranges::find(makers, type, &StepMaker<S>::type);
        return known == makers.end() ? typeField.unknown() : known->make(json);
    }
    ET_ASSIGN(const JsonField field, json.member(member));
    ET_ASSIGN(const auto list, field.array());
    std::vector<std::unique_ptr<S>> steps;
    std::size_t index = 0;
    for (const auto element : list) {
        ET_ASSIGN(auto step, makeStep<S>(field.at(index++, element), member, makers, depth + 1));
        steps.push_back(std::move(step));
    }
    return std::make_unique<StepSequence<S>>(std::move(steps));
}

}  // namespace et::inspector::tokenizers::detail
