#pragma once

#include "inspector/store/session_store.h"
#include "visualizers/selection.h"

#include <QAbstractTableModel>
#include <QUndoStack>

#include <cstdint>
#include <optional>
#include <vector>

namespace et::visualizers {

/// The notes of the open session, one per row in order of creation. Every change can be undone and is unsaved
/// until setSaved(). GUI thread only.
class NoteModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    using Note = inspector::store::Note;
    enum Column : int { Written, About, Text };
    static constexpr int columnTotal = Text + 1;

    /// `session` provides operator names and must outlive the model.
    explicit NoteModel(const OpenSession& session, QObject* parent = nullptr);

    [[nodiscard]] const std::vector<Note>& notes() const { return all; }
    /// Notes that are not empty; these are saved.
    [[nodiscard]] std::vector<Note> worthSaving() const;

    /// Replaces all notes by saved ones and clears the undo history.
    void setNotes(std::vector<Note> saved);
    /// Appends a note with the current time. Returns its row.
    int add(Note note);
    /// Consecutive typing is one undo step until beginStep().
    void setText(int row, const QString& text);
    void beginStep() { begins = true; }
    void remove(int row);

    [[nodiscard]] QUndoStack& history() { return steps; }
    /// True if there are unsaved changes.
    [[nodiscard]] bool modified() const { return !steps.isClean(); }
    /// Changes with each modification.
    [[nodiscard]] std::uint64_t revision() const { return changes; }
    /// Marks the current state as saved.
    void setSaved() { steps.setClean(); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

  signals:
    void modifiedChanged(bool modified);
    /// Emitted after every change.
    void changed();

  private:
    class Step;
    /// Inserts a row (from nothing to a note), removes one (from a note to nothing), or replaces a note.
    void put(int row, const std::optional<Note>& note, bool existed);

    const OpenSession& opened;
    std::vector<Note> all;
    QUndoStack steps;
    std::uint64_t changes = 0;
    bool begins = true;  ///< further typing starts a new undo step
};

}  // namespace et::visualizers
