#pragma once

#include "runtime/executor/backend.h"

#include <optional>
#include <string_view>

namespace et::executor {

/// A source without data, to describe delegates without their weights.
class NoNamedData final : public NamedDataSource {
  public:
    [[nodiscard]] std::optional<core::Bytes> find(std::string_view /*name*/) const override {
        return std::nullopt;
    }
};

}  // namespace et::executor
