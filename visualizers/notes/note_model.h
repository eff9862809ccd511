#pragma once

#include "inspector/store/session_store.h"
#include "visualizers/selection.h"

#include <QAbstractTableModel>
#include <QUndoStack>

#include <cstdint>
#include <optional>
#include <vector>

namespace et::visualizers {

/// The notes of what is open, one a row in the order in which they were written. Every change can be undone,
/// and is unsaved until setSaved(). GUI thread only.
class NoteModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    using Note = inspector::store::Note;
    enum Column : int { Written, About, Text };
    static constexpr int columnTotal = Text + 1;

    /// `session`, which outlives the model, has what names operators.
    explicit NoteModel(const OpenSession& session, QObject* parent = nullptr);

    [[nodiscard]] const std::vector<Note>& notes() const { return all; }
    /// Those that say something: what is saved.
    [[nodiscard]] std::vector<Note> worthSaving() const;

    /// Notes as they were saved, in place of all; what was done before cannot be undone.
    void setNotes(std::vector<Note> saved);
    /// Behind the others, written now. Gives its row.
    int add(Note note);
    /// Typing on in a line is one step to undo, until beginStep().
    void setText(int row, const QString& text);
    void beginStep() { begins = true; }
    void remove(int row);

    [[nodiscard]] QUndoStack& history() { return steps; }
    /// Whether anything is not saved.
    [[nodiscard]] bool modified() const { return !steps.isClean(); }
    /// Another one after each change.
    [[nodiscard]] std::uint64_t revision() const { return changes; }
    /// The notes are saved as they are now.
    void setSaved() { steps.setClean(); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

  signals:
    void modifiedChanged(bool modified);
    /// After each change of the notes, of whatever kind.
    void changed();

  private:
    class Step;
    /// Nothing becomes a note (a new row), a note nothing (the row goes), or a note another one.
    void put(int row, const std::optional<Note>& note, bool existed);

    const OpenSession& opened;
    std::vector<Note> all;
    QUndoStack steps;
    std::uint64_t changes = 0;
    bool begins = true;  ///< what is typed next does not belong to what was typed before
};

}  // namespace et::visualizers
