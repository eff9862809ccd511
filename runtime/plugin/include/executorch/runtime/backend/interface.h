#pragma once

#include <executorch/runtime/backend/backend_execution_context.h>
#include <executorch/runtime/backend/backend_init_context.h>
#include <executorch/runtime/backend/backend_option_context.h>
#include <executorch/runtime/backend/options.h>
#include <executorch/runtime/core/array_ref.h>
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/evalue.h>
#include <executorch/runtime/core/freeable_buffer.h>
#include <executorch/runtime/core/memory_allocator.h>
#include <executorch/runtime/core/named_data_map.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/platform/compiler.h>

#include <cstring>

namespace executorch::runtime {

struct SizedBuffer {
    void* buffer;
    size_t nbytes;
};

struct CompileSpec {
    const char* key;
    SizedBuffer value;
};

using DelegateHandle = void;

/// A backend: loads, runs and destroys delegates.
class BackendInterface {
  public:
    virtual ~BackendInterface() = 0;

    ET_NODISCARD virtual bool is_available() const = 0;
    /// `processed` is the payload, which stays valid until the delegate is destroyed.
    ET_NODISCARD virtual Result<DelegateHandle*> init(BackendInitContext& context, FreeableBuffer* processed,
                                                      ArrayRef<CompileSpec> compile_specs) const = 0;
    /// `args`: inputs, then outputs.
    ET_NODISCARD virtual Error execute(BackendExecutionContext& context, DelegateHandle* handle,
                                       Span<EValue*> args) const = 0;
    ET_NODISCARD virtual Error set_option(BackendOptionContext& /*context*/,
                                          const Span<BackendOption>& /*options*/) {
        return Error::Ok;
    }
    ET_NODISCARD virtual Error get_option(BackendOptionContext& /*context*/,
                                          Span<BackendOption>& /*options*/) {
        return Error::Ok;
    }
    virtual void destroy(DelegateHandle* /*handle*/) const {}
};

struct Backend {
    const char* name;
    BackendInterface* backend;
};

// The backends of this library.
ET_NODISCARD Error register_backend(const Backend& backend);
BackendInterface* get_backend_class(const char* name);
size_t get_num_registered_backends();
Result<const char*> get_backend_name(size_t index);
Error set_option(const char* backend_name, const Span<BackendOption> options);
Error get_option(const char* backend_name, Span<BackendOption> options);

}  // namespace executorch::runtime

namespace torch::executor {
using ::executorch::runtime::Backend;
using ::executorch::runtime::CompileSpec;
using ::executorch::runtime::DelegateHandle;
using ::executorch::runtime::get_backend_class;
using ::executorch::runtime::register_backend;
using ::executorch::runtime::SizedBuffer;
using PyTorchBackendInterface = ::executorch::runtime::BackendInterface;
}  // namespace torch::executor
