// A backend as users of ExecuTorch write it: multiplies its input by a number in the payload, adds named
// data.
#include <executorch/runtime/backend/interface.h>
#include <executorch/runtime/core/event_tracer_hooks_delegate.h>
#include <executorch/runtime/core/exec_aten/util/tensor_util.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

namespace {

using executorch::runtime::ArrayRef;
using executorch::runtime::BackendExecutionContext;
using executorch::runtime::BackendInitContext;
using executorch::runtime::BackendInterface;
using executorch::runtime::CompileSpec;
using executorch::runtime::DelegateHandle;
using executorch::runtime::Error;
using executorch::runtime::EValue;
using executorch::runtime::FreeableBuffer;
using executorch::runtime::Result;
using executorch::runtime::Span;

struct Scaled {
    float factor;
    float offset;
};

class ScalingBackend final : public BackendInterface {
  public:
    bool is_available() const override { return true; }

    Result<DelegateHandle*> init(BackendInitContext& context, FreeableBuffer* processed,
                                 ArrayRef<CompileSpec> specs) const override {
        ET_CHECK_OR_RETURN_ERROR(processed->size() == sizeof(float), DelegateInvalidCompatibility,
                                 "expected a payload of 4 bytes, got %zu", processed->size());
        auto* const scaled = context.get_runtime_allocator()->allocateInstance<Scaled>();
        ET_CHECK_OR_RETURN_ERROR(scaled != nullptr, MemoryAllocationFailed, "no memory");
        new (scaled) Scaled{};
        std::memcpy(&scaled->factor, processed->data(), sizeof(float));
        processed->Free();
        for (const CompileSpec& spec : specs) {
            if (std::strcmp(spec.key, "offset") == 0) {
                const std::string key(static_cast<const char*>(spec.value.buffer), spec.value.nbytes);
                auto data = context.get_named_data_map()->get_data(key);
                ET_CHECK_OK_OR_RETURN_ERROR(data.error(), "the offset is missing");
                std::memcpy(&scaled->offset, data->data(), sizeof(float));
            }
        }
        return scaled;
    }

    Error execute(BackendExecutionContext& context, DelegateHandle* handle,
                  Span<EValue*> args) const override {
        const auto& scaled = *static_cast<const Scaled*>(handle);
        ET_CHECK_OR_RETURN_ERROR(args.size() == 2 && args[0]->isTensor() && args[1]->isTensor(),
                                 InvalidArgument, "expected two tensors");
        const auto input = args[0]->toTensor();
        auto output = args[1]->toTensor();
        const auto entry =
            executorch::runtime::event_tracer_start_profiling_delegate(context.event_tracer(), "scale", -1);
        auto* const copy = static_cast<float*>(context.allocate(input.nbytes()));
        ET_CHECK_OR_RETURN_ERROR(copy != nullptr, MemoryAllocationFailed, "no temporary memory");
        std::memcpy(copy, input.const_data_ptr(), input.nbytes());
        ET_CHECK_OK_OR_RETURN_ERROR(executorch::runtime::resize_tensor(output, input.sizes()));
        for (ssize_t i = 0; i < input.numel(); ++i) {
            output.mutable_data_ptr<float>()[i] = copy[i] * scaled.factor + scaled.offset;
        }
        executorch::runtime::event_tracer_end_profiling_delegate(context.event_tracer(), entry);
        executorch::runtime::event_tracer_log_output_delegate(context.event_tracer(), "scale", -1, output);
        return Error::Ok;
    }

    void destroy(DelegateHandle* handle) const override { static_cast<Scaled*>(handle)->~Scaled(); }
};

ScalingBackend backend;
const auto registered = executorch::runtime::register_backend({"ScalingBackend", &backend});

}  // namespace
