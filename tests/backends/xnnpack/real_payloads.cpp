#include "tests/backends/xnnpack/real_payloads.h"

#include "bundled_program/bundle.h"
#include "tests/support/shared_data.h"

namespace et::test {

void forEachXnnpackPayload(const std::string& folder,
                           const std::function<void(const std::filesystem::path&, const program::Program&,
                                                    const program::Delegate&)>& take) {
    for (const auto& path : sharedFiles(folder, ".bpte")) {
        const auto bundle = bundled_program::Bundle::open(path);
        ASSERT_TRUE(bundle) << bundle.error().toString();
        const auto program = program::Program::parse((*bundle)->file, (*bundle)->program);
        ASSERT_TRUE(program) << program.error().toString();
        for (const program::Method& method : (*program)->methods) {
            for (const program::Delegate& delegate : method.delegates) {
                if (delegate.backend == "XnnpackBackend") {
                    take(path, **program, delegate);
                }
            }
        }
    }
}

}  // namespace et::test
