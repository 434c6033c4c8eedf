// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/probe/dataset_kind.h"

namespace slipstream {

/// One sample of files in the user's own form: the bytes of an image, or numbers.
struct OwnSample {
  std::span<const std::uint8_t> bytes = {};  ///< [elements], NHWC; empty where samples are floats
  std::span<const float> floats = {};        ///< the same of floats, all finite
  std::int32_t label = 0;                    ///< below the number of classes
};

/// Takes samples in their order. What a sample points to is gone afterwards.
using OwnSink = std::function<void(const OwnSample& sample)>;

/// What files say of their samples.
struct OwnFacts {
  OwnSamples samples = {};
  std::int64_t classes = 0;
  std::vector<std::string> classNames = {};     ///< in the order of labels; empty where labels are numbers
  std::int64_t training = 0;                    ///< samples, or all of them where none are for evaluation
  std::optional<std::int64_t> evaluation = {};  ///< samples of a part of its own; nothing where there is none
};

/// Reads one form of files. Failures name file, place in it, and remedy.
class OwnReader {
 public:
  virtual ~OwnReader() = default;
  virtual Result<OwnFacts> facts(const DatasetSpec& dataset) const = 0;
  /// Every sample of the files of a part, in order: as many as `facts` has.
  virtual Status read(const DatasetSpec& dataset, const OwnFacts& facts, DataPart part, const OwnSink& sink) const = 0;
  /// The files that are there for it, whatever they are like: what changes with them is read again.
  virtual std::vector<std::filesystem::path> files(const DatasetSpec& dataset) const = 0;
  /// Whether neighbours among the samples resemble each other, so that the last ones are evaluated on, not drawn ones.
  virtual bool isSequence() const { return false; }
};

/// facts() of the data set's reader, looked for again only where a file has changed. For many threads.
Result<OwnFacts> ownFacts(const DatasetSpec& dataset);

/// Whether it is known what the samples are: of files of the user's own form, only where they could be read.
bool knowsSamples(const DatasetSpec& dataset);

/// Every sample of a part in order: of its own files, or of those that the split gives it; at most as many as
/// dataset.train_samples or evaluation_samples ask for, spread evenly over the part.
Status readOwnPart(const DatasetSpec& dataset, const OwnFacts& facts, DataPart part, const OwnSink& sink);

/// What all kinds with such a reader have in common; name, summary and keys are to be filled in.
DatasetKind ownKind(const OwnReader& reader);

/// Arrays of numpy: a folder of .npy files, or an .npz file.
const DatasetKind& arraysKind();
/// Tables of numbers with a column of labels.
const DatasetKind& csvKind();
/// The bytes of a text; what is learned is the byte that comes next.
const DatasetKind& textKind();

/// A part's file of tables and texts.
struct OwnFiles {
  std::filesystem::path training;
  std::optional<std::filesystem::path> evaluation = {};
};

/// The file that `path` is, or train.ENDING and test.ENDING in that folder, or the only file with this ending there.
Result<OwnFiles> findOwnFiles(const std::filesystem::path& path, const std::string& ending);
/// The file that `path` is, or those with this ending in that folder, sorted.
std::vector<std::filesystem::path> ownFilesOf(const std::filesystem::path& path, const std::string& ending);

}  // namespace slipstream
