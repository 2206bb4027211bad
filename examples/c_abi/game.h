/* The game in lib.rs, for C.
 *
 * Functions return NULL, or a message that is valid until the next call with this game. A game may be
 * used by one thread at a time. */
#ifndef GAME_H
#define GAME_H

#include <stddef.h>
#include <stdint.h>

typedef struct Game Game;
typedef uint64_t Entity; /* never 0 */
typedef struct { int32_t x, y; } Position;
typedef struct { int32_t dx, dy; } Velocity;

Game *game_new(void); /* NULL if it fails */
void game_free(Game *game);
const char *game_create(Game *game, Position position, Velocity velocity, Entity *entity);
const char *game_destroy(Game *game, Entity entity);
const char *game_step(Game *game);
const char *game_position(Game *game, Entity entity, Position *position);
/* The entities that were created, moved or destroyed since the last call; valid until the next one. */
const char *game_changed(Game *game, const Entity **entities, size_t *count);

#endif
