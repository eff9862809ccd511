#pragma once

#include "tests/tasks/net_draft.h"

#include <string>

// Nets whose exported operators consist of several Edge nodes, or that index. Each returns the value of its
// output.
namespace et::test {

/// ShuffleNet: grouped 1x1 convolutions and a channel shuffle.
std::string channelShuffleNet(NetDraft& net);
/// Upscaling with a pixel shuffle.
std::string pixelShuffleNet(NetDraft& net);
/// Attention with torch.einsum().
std::string einsumAttention(NetDraft& net);
/// Sampling of an image at computed offsets, then a convolution.
std::string deformableSampling(NetDraft& net);
/// A shifted window of a Swin transformer.
std::string windowedAttention(NetDraft& net);
/// Two steps of a GRU, whose gates are chunks of one product.
std::string gatedCells(NetDraft& net);
/// A residual block with nn.GroupNorm and SiLU.
std::string groupNormBlock(NetDraft& net);
/// One upsampling stage of a HiFi-GAN.
std::string transposedRows(NetDraft& net);
/// Causal attention that fills masked scores with -inf.
std::string maskedAttention(NetDraft& net);
/// Power spectrum of frames.
std::string spectrumFrontEnd(NetDraft& net);
/// A graph network: gathers along edges, adds up at their ends.
std::string messagePassing(NetDraft& net);
/// The three largest logits, and their softmax.
std::string topHeads(NetDraft& net);

}  // namespace et::test
