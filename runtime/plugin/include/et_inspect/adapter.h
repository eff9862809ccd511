#pragma once

#include <et_inspect/plugin_interface.h>
#include <executorch/runtime/core/evalue.h>
#include <executorch/runtime/core/event_tracer.h>
#include <executorch/runtime/core/memory_allocator.h>
#include <executorch/runtime/core/named_data_map.h>
#include <executorch/runtime/core/portable_type/tensor.h>
#include <executorch/runtime/core/span.h>

#include <cstddef>
#include <cstdint>
#include <new>

// Declarations shared by the files of the adapter. The adapter is compiled into each plugin.
namespace et_inspect {

/// The host's functions; set when the plugin is loaded.
const Host& host();
void setHost(const Host* functions);

/// The call that this thread works for; null: none.
Call* currentCall();

/// Makes a call the current one of this thread.
class CurrentCall {
  public:
    explicit CurrentCall(Call* call);
    CurrentCall(const CurrentCall&) = delete;
    CurrentCall& operator=(const CurrentCall&) = delete;
    ~CurrentCall();

  private:
    Call* before;
};

/// Thrown by a failed check of the current call.
struct FailedCheck {};

/// Errors logged by this thread since the last forgetMessages(), joined.
const char* messages();
void forgetMessages();
void addMessage(const char* text);
/// Logs the messages of a call that succeeded.
void printMessages();

/// The values of a call. They are kept for the next one.
executorch::runtime::Span<executorch::runtime::EValue*> adapt(Call& call);
/// Reports numbers that the call changed.
void takeChanges(Call& call);
void releaseValues(void* adapted);

/// Access to a TensorImpl for the adapter.
class TensorAccess {
  public:
    using Impl = executorch::runtime::etensor::TensorImpl;

    /// The tensor of a slot, with its present data and shape.
    static executorch::aten::Tensor tensorOf(TensorSlot& slot) {
        static_assert(sizeof(Impl) <= sizeof(slot.adapted));
        return executorch::aten::Tensor(new (slot.adapted) Impl(slot));
    }
    static TensorSlot* slotOf(const Impl& impl) { return impl.slot; }
};

/// Memory of the host: until the call returns, or until the delegate is destroyed.
class HostAllocator final : public executorch::runtime::MemoryAllocator {
  public:
    HostAllocator(void* hostOfCall, bool keepMemory)
        : MemoryAllocator(0, nullptr), callHost(hostOfCall), keep(keepMemory) {}
    void* allocate(size_t size, size_t alignment = kDefaultAlignment) override;
    size_t used_size() const override { return used; }
    size_t free_size() const override { return SIZE_MAX; }
    void reset() override {}

  private:
    void* callHost;
    bool keep;
    size_t used = 0;
};

/// Sends a delegate's events to the host.
class HostTracer final : public executorch::runtime::EventTracer {
  public:
    using Entry = executorch::runtime::EventTracerEntry;
    using Tensor = executorch::aten::Tensor;
    template <class T>
    using Result = executorch::runtime::Result<T>;

    explicit HostTracer(const Call& call);
    void create_event_block(const char* /*name*/) override {}
    Entry start_profiling(const char* name, executorch::runtime::ChainID chain,
                          executorch::runtime::DebugHandle handle) override;
    void end_profiling(Entry entry) override;
    Entry start_profiling_delegate(const char* name, int32_t id) override;
    void end_profiling_delegate(Entry entry, const void* metadata, size_t size) override;
    void log_profiling_delegate(const char* name, int32_t id, et_timestamp_t start, et_timestamp_t end,
                                const void* metadata, size_t size) override;
    void track_allocation(executorch::runtime::AllocatorID /*id*/, size_t /*size*/) override {}
    executorch::runtime::AllocatorID track_allocator(const char* /*name*/) override { return 0; }
    Result<bool> log_evalue(const executorch::runtime::EValue& value,
                            executorch::runtime::LoggedEValueType type) override;
    Result<bool> log_intermediate_output_delegate(const char* name, int32_t id,
                                                  const Tensor& output) override;
    Result<bool> log_intermediate_output_delegate(
        const char* name, int32_t id, const executorch::runtime::ArrayRef<Tensor> output) override;
    Result<bool> log_intermediate_output_delegate(const char* name, int32_t id, const int& output) override;
    Result<bool> log_intermediate_output_delegate(const char* name, int32_t id, const bool& output) override;
    Result<bool> log_intermediate_output_delegate(const char* name, int32_t id,
                                                  const double& output) override;
    void set_delegation_intermediate_output_filter(
        executorch::runtime::EventTracerFilterBase* chosen) override {
        filter = chosen;
    }

  private:
    Result<bool> log(const char* name, int32_t id, const ValueSlot& value);

    void* callHost;
    executorch::runtime::EventTracerFilterBase* filter = nullptr;
};

/// Finds the data of the program by name.
class HostData final : public executorch::runtime::NamedDataMap {
  public:
    template <class T>
    using Result = executorch::runtime::Result<T>;

    explicit HostData(void* hostOfCall) : callHost(hostOfCall) {}
    Result<const executorch::runtime::TensorLayout> get_tensor_layout(std::string_view key) const override;
    Result<executorch::runtime::FreeableBuffer> get_data(std::string_view key) const override;
    executorch::runtime::Error load_data_into(std::string_view key, void* buffer, size_t size) const override;
    Result<uint32_t> get_num_keys() const override { return executorch::runtime::Error::NotSupported; }
    Result<const char*> get_key(uint32_t /*index*/) const override {
        return executorch::runtime::Error::NotSupported;
    }

  private:
    void* callHost;
};

}  // namespace et_inspect
