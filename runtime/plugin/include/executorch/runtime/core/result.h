#pragma once

#include <executorch/runtime/core/error.h>
#include <executorch/runtime/platform/assert.h>

#include <new>
#include <utility>

namespace executorch::runtime {

/// A value or an error.
template <typename T>
class Result final {
  public:
    typedef T value_type;

    Result(Error failure) : failed(failure == Error::Ok ? Error::Internal : failure), has(false) {}
    Result(const T& content) : value(content), has(true) {}
    Result(T&& content) : value(std::move(content)), has(true) {}
    Result(Result&& other) noexcept : has(other.has) {
        if (has) {
            new (&value) T(std::move(other.value));
        } else {
            failed = other.failed;
        }
    }
    Result(const Result&) = delete;
    Result& operator=(const Result&) = delete;
    Result& operator=(Result&&) = delete;
    ~Result() {
        if (has) {
            value.~T();
        }
    }

    ET_NODISCARD bool ok() const { return has; }
    ET_NODISCARD Error error() const { return has ? Error::Ok : failed; }

    T& get() {
        ET_CHECK(has);
        return value;
    }
    const T& get() const {
        ET_CHECK(has);
        return value;
    }
    T& operator*() & { return get(); }
    const T& operator*() const& { return get(); }
    T* operator->() { return &get(); }
    const T* operator->() const { return &get(); }

  private:
    union {
        T value;
        Error failed;
    };
    const bool has;
};

}  // namespace executorch::runtime

namespace torch::executor {
using ::executorch::runtime::Result;
}

// Takes a result, and optionally a message with its arguments.
#define ET_UNWRAP(...)                                                                                    \
    ET_INTERNAL_SELECT_UNWRAP(__VA_ARGS__, OF_MANY, OF_MANY, OF_MANY, OF_MANY, OF_MANY, OF_MANY, OF_MANY, \
                              OF_MANY, OF_MANY, OF_ONE)                                                   \
    (__VA_ARGS__)
#define ET_INTERNAL_SELECT_UNWRAP(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, which_, ...) \
    ET_INTERNAL_UNWRAP_##which_
#define ET_INTERNAL_UNWRAP_OF_ONE(result_) \
    ({                                     \
        auto et_result_ = (result_);       \
        if (!et_result_.ok()) {            \
            return et_result_.error();     \
        }                                  \
        std::move(*et_result_);            \
    })
#define ET_INTERNAL_UNWRAP_OF_MANY(result_, message_, ...) \
    ({                                                     \
        auto et_result_ = (result_);                       \
        if (!et_result_.ok()) {                            \
            ET_LOG(Error, message_, ##__VA_ARGS__);        \
            return et_result_.error();                     \
        }                                                  \
        std::move(*et_result_);                            \
    })
