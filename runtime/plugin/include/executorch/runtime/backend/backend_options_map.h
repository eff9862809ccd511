#pragma once

#include <executorch/runtime/backend/options.h>
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/span.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace executorch::runtime {

/// Borrowed load-time options of several backends.
class LoadBackendOptionsMap final {
  public:
    Error set_options(const char* backend_id, Span<BackendOption> options) {
        if (backend_id == nullptr || backend_id[0] == '\0') {
            return Error::InvalidArgument;
        }
        for (auto& [name, known] : entries) {
            if (name == backend_id) {
                known = options;
                return Error::Ok;
            }
        }
        entries.emplace_back(backend_id, options);
        return Error::Ok;
    }
    template <typename Builder>
    Error set_options(Builder& builder) {
        return set_options(builder.backend_id(), builder.view());
    }
    Span<const BackendOption> get_options(const char* backend_id) const {
        for (const auto& [name, options] : entries) {
            if (backend_id != nullptr && name == backend_id) {
                return {options.data(), options.size()};
            }
        }
        return {};
    }
    bool has_options(const char* backend_id) const {
        for (const auto& entry : entries) {
            if (backend_id != nullptr && entry.first == backend_id) {
                return true;
            }
        }
        return false;
    }
    size_t size() const { return entries.size(); }

  private:
    std::vector<std::pair<std::string, Span<BackendOption>>> entries;
};

}  // namespace executorch::runtime
