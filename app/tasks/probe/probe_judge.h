#pragma once

#include "app/tasks/probe/probe_set.h"
#include "bundled_program/tolerance.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>

namespace et::tasks {

/// Compares the outputs of a device with the expected ones and sets the verdicts of the probes in `folder`.
/// `results` and its subfolders have the outputs of each probe as .npy, .npz or raw (.bin) files, in any of
/// the layouts NAME/output_0.npy, NAME_0.npy, NAME.npz, those of `verify --save-failures --save-all`, or as a
/// trace with logged outputs (NAME.etdp) with its debug buffer (NAME.bin).
/// Probes without outputs stay as they are. Returns the number of probes with outputs. Errors: Io, those of
/// Bundle::open(); an output that cannot be read is a wrong result.
[[nodiscard]] core::Result<std::size_t> judgeProbes(ProbeSet& set, const std::filesystem::path& folder,
                                                    const std::filesystem::path& results,
                                                    const bundled_program::Tolerances& tolerances);

}  // namespace et::tasks
