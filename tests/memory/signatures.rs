//! A context that has seen many signatures stays small, and who subscribes does not pay for
//! those seen.

use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs::{BundleWriter, ComponentIndex};

use super::{ALLOCATOR, alone};

#[ecs::context]
struct Wide;

macro_rules! flags {
    ($($name:ident)*) => {
        $(
            #[derive(Component)]
            #[component(context = Wide)]
            struct $name;
        )*

        /// What puts each flag on an entity that is about to come to life.
        const PUTS: &[fn(&mut BundleWriter<'_, Wide>)] = &[$(|writer| writer.put($name)),*];
        /// What adds each flag to an entity.
        const ADDS: &[fn(&mut Wide, EntityId<Wide>)] =
            &[$(|wide, id| _ = wide.entity_mut(id).add($name)),*];
        /// What narrows a matcher to entities that lack each flag.
        const LACKS: &[fn(Matcher<Wide>) -> Matcher<Wide>] =
            &[$(|matcher| matcher.none_of::<$name>()),*];
    };
}

flags! {
    C000 C001 C002 C003 C004 C005 C006 C007 C008 C009 C010 C011 C012 C013 C014 C015
    C016 C017 C018 C019 C020 C021 C022 C023 C024 C025 C026 C027 C028 C029 C030 C031
    C032 C033 C034 C035 C036 C037 C038 C039 C040 C041 C042 C043 C044 C045 C046 C047
    C048 C049 C050 C051 C052 C053 C054 C055 C056 C057 C058 C059 C060 C061 C062 C063
    C064 C065 C066 C067 C068 C069 C070 C071 C072 C073 C074 C075 C076 C077 C078 C079
    C080 C081 C082 C083 C084 C085 C086 C087 C088 C089 C090 C091 C092 C093 C094 C095
    C096 C097 C098 C099 C100 C101 C102 C103 C104 C105 C106 C107 C108 C109 C110 C111
    C112 C113 C114 C115 C116 C117 C118 C119 C120 C121 C122 C123 C124 C125 C126 C127
    C128 C129 C130 C131 C132 C133 C134 C135 C136 C137 C138 C139 C140 C141 C142 C143
    C144 C145 C146 C147 C148 C149 C150 C151 C152 C153 C154 C155 C156 C157 C158 C159
    C160 C161 C162 C163 C164 C165 C166 C167 C168 C169 C170 C171 C172 C173 C174 C175
    C176 C177 C178 C179 C180 C181 C182 C183 C184 C185 C186 C187 C188 C189 C190 C191
    C192 C193 C194 C195 C196 C197 C198 C199 C200 C201 C202 C203 C204 C205 C206 C207
    C208 C209 C210 C211 C212 C213 C214 C215 C216 C217 C218 C219 C220 C221 C222 C223
    C224 C225 C226 C227 C228 C229 C230 C231 C232 C233 C234 C235 C236 C237 C238 C239
    C240 C241 C242 C243 C244 C245 C246 C247 C248 C249 C250 C251 C252 C253 C254 C255
    C256 C257 C258 C259 C260 C261 C262 C263 C264 C265 C266 C267 C268 C269 C270 C271
    C272 C273 C274 C275 C276 C277 C278 C279 C280 C281 C282 C283 C284 C285 C286 C287
    C288 C289 C290 C291 C292 C293 C294 C295 C296 C297 C298 C299 C300 C301 C302 C303
    C304 C305 C306 C307 C308 C309 C310 C311 C312 C313 C314 C315 C316 C317 C318 C319
    C320 C321 C322 C323 C324 C325 C326 C327 C328 C329 C330 C331 C332 C333 C334 C335
    C336 C337 C338 C339 C340 C341 C342 C343 C344 C345 C346 C347 C348 C349 C350 C351
    C352 C353 C354 C355 C356 C357 C358 C359 C360 C361 C362 C363 C364 C365 C366 C367
    C368 C369 C370 C371 C372 C373 C374 C375 C376 C377 C378 C379 C380 C381 C382 C383
    C384 C385 C386 C387 C388 C389 C390 C391 C392 C393 C394 C395 C396 C397 C398 C399
    C400 C401 C402 C403 C404 C405 C406 C407 C408 C409 C410 C411 C412 C413 C414 C415
    C416 C417 C418 C419 C420 C421 C422 C423 C424 C425 C426 C427 C428 C429 C430 C431
    C432 C433 C434 C435 C436 C437 C438 C439 C440 C441 C442 C443 C444 C445 C446 C447
    C448 C449 C450 C451 C452 C453 C454 C455 C456 C457 C458 C459 C460 C461 C462 C463
    C464 C465 C466 C467 C468 C469 C470 C471 C472 C473 C474 C475 C476 C477 C478 C479
    C480 C481 C482 C483 C484 C485 C486 C487 C488 C489 C490 C491 C492 C493 C494 C495
    C496 C497 C498 C499 C500 C501 C502 C503 C504 C505 C506 C507 C508 C509 C510 C511
}

/// A bundle of flags by their places.
struct Flags(Vec<usize>);

impl Components<Wide> for Flags {
    fn visit(_: &mut dyn FnMut(ComponentIndex)) {}
}

impl Bundle<Wide> for Flags {
    fn visit_components(each: &mut dyn FnMut(ComponentIndex)) {
        <Self as Components<Wide>>::visit(each);
    }

    fn put(self, writer: &mut BundleWriter<'_, Wide>) {
        self.0.into_iter().for_each(|flag| PUTS[flag](writer));
    }
}

/// Numbers that look random, the same in each run.
struct Random(u32);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as usize % end
    }

    /// So many different flags, in no order.
    fn flags(&mut self, count: usize) -> Vec<usize> {
        let mut all: Vec<_> = (0..PUTS.len()).collect();
        for at in 0..count {
            let other = at + self.below(all.len() - at);
            all.swap(at, other);
        }
        all.truncate(count);
        all
    }
}

/// What `make` makes, and the bytes it leaves allocated.
fn taken<R>(make: impl FnOnce() -> R) -> (R, usize) {
    let before = ALLOCATOR.allocated();
    let made = make();
    (made, ALLOCATOR.allocated() - before)
}

/// A context of `count` entities with so many random flags each.
fn wide(count: usize, flags: usize) -> Wide {
    let (mut wide, mut random) = (Wide::new(), Random(7));
    for _ in 0..count {
        wide.create_with(Flags(random.flags(flags)));
    }
    wide
}

const MEGABYTE: usize = 1 << 20;

#[test]
fn wide_bundles_make_no_signatures_of_their_parts() {
    let _alone = alone();
    drop(Wide::new());
    let (wide, bytes) = taken(|| wide(1_000, 256));
    assert_eq!(wide.len(), 1_000);
    assert!(
        bytes < 4 * MEGABYTE,
        "{bytes} bytes\n{}",
        wide.storage().memory()
    );
}

#[test]
fn many_signatures_take_little_memory() {
    let _alone = alone();
    drop(Wide::new());
    let (wide, bytes) = taken(|| wide(10_000, 10));
    assert!(
        bytes < 8 * MEGABYTE,
        "{bytes} bytes\n{}",
        wide.storage().memory()
    );
}

#[test]
fn signatures_that_entities_passed_through_are_given_back() {
    let _alone = alone();
    drop(Wide::new());
    let (mut wide, bytes) = taken(|| {
        let (mut wide, mut random) = (Wide::new(), Random(7));
        for _ in 0..10_000 {
            let id = wide.create_entity().id();
            random
                .flags(10)
                .into_iter()
                .for_each(|flag| ADDS[flag](&mut wide, id));
        }
        wide
    });
    assert!(
        bytes < 30 * MEGABYTE,
        "{bytes} bytes\n{}",
        wide.storage().memory()
    );
    let ids: Vec<_> = wide
        .entities()
        .map(|entity| entity.id())
        .skip(100)
        .collect();
    ids.into_iter().for_each(|id| wide.destroy(id));
    wide.storage_mut().shrink_to_fit();
    let graph = wide.storage().memory().graph;
    assert!(graph < MEGABYTE / 4, "{graph} bytes");
}

/// So many groups and signatures as a large program may have.
const GROUPS: usize = 4_000;
const SIGNATURES: usize = 6_490;

#[test]
fn many_groups_and_many_signatures_take_little_memory() {
    let _alone = alone();
    drop(Wide::new());
    let (wide, bytes) = taken(|| {
        let (mut wide, mut random) = (Wide::new(), Random(7));
        groups(&mut wide, &mut random);
        for _ in 0..SIGNATURES {
            wide.create_with(Flags(random.flags(6)));
        }
        wide
    });
    assert_eq!(Group::all(&wide).len(), GROUPS);
    assert!(
        bytes < 30 * MEGABYTE,
        "{bytes} bytes\n{}",
        wide.storage().memory()
    );
}

/// Makes [`GROUPS`] groups, each of the entities that lack three flags.
fn groups(wide: &mut Wide, random: &mut Random) {
    while Group::all(wide).len() < GROUPS {
        let flags = random.flags(3);
        let lacks = |matcher, flag: usize| LACKS[flag](matcher);
        wide.group(flags.into_iter().fold(Matcher::default(), lacks));
    }
}

/// How long a call takes, as the shortest of many.
fn shortest(mut call: impl FnMut()) -> Duration {
    let time = |call: &mut dyn FnMut()| {
        let start = Instant::now();
        call();
        start.elapsed()
    };
    (0..100).map(|_| time(&mut call)).min().unwrap_or_default()
}

#[test]
fn subscribing_takes_no_longer_where_many_signatures_have_been_seen() {
    let _alone = alone();
    let subscribe = |wide: &mut Wide| {
        let group = wide.group(Wide::all_of::<(C001, C002)>());
        let trigger = Wide::all_of::<C003>().entered();
        wide.collector(trigger.clone()).release(wide);
        shortest(|| {
            let subscription = group.on_entered(wide, |_, _| {});
            wide.unsubscribe(subscription);
            wide.collector(trigger.clone()).release(wide);
        })
    };
    let (few, many) = (
        subscribe(&mut wide(10, 10)),
        subscribe(&mut wide(10_000, 10)),
    );
    assert!(
        many < 3 * few + Duration::from_micros(10),
        "{few:?}, {many:?}"
    );
}
